import { openPictureTool } from '../picture-tool.server.ts'
import { inShownLetters } from './draw-share-picture.server.ts'
import { setText } from './set-text.server.ts'

/* The icons of the site: the house's ribbon with the first letter of the brand, on paper. */

const paper = '#f8f4ec'
const ribbon = '#282019'
const edge = 512
const letterBox = { width: 190, height: 190, middle: 186 } as const

/**
 * An icon as PNG. A letter that the serif lacks is set in the fonts of this machine, or spelled in Latin letters.
 * @param size in pixels
 * @param isMaskable with paper up to the edges and the mark in the middle, for those who cut it to a shape
 */
export async function drawIcon(
  brand: string,
  { size, isMaskable = false }: { size: number; isMaskable?: boolean },
): Promise<Buffer> {
  const sharp = await openPictureTool()
  const letter = firstLetter(await inShownLetters(sharp, firstLetter(brand)))
  const { svg } = setText(
    { text: letter, width: 900, height: 300, sizes: [300], leading: 1 },
    { x: 100, y: 100 },
    `fill="${paper}"`,
  )
  const whole = sharp(Buffer.from(ground(isMaskable)))
  if (letter !== '') {
    // Its ink is centred, whatever the script.
    const { data, info } = await sharp(Buffer.from(svgOf(1_100, svg)))
      .trim()
      .resize({ ...scaled(letterBox, isMaskable), fit: 'inside' })
      .png()
      .toBuffer({ resolveWithObject: true })
    const middle = inMark(letterBox.middle, isMaskable)
    whole.composite([
      { input: data, left: Math.round((edge - info.width) / 2), top: Math.round(middle - info.height / 2) },
    ])
  }
  const drawn = await whole.png().toBuffer()
  return sharp(drawn).resize(size, size).png({ palette: true, compressionLevel: 9 }).toBuffer()
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The first letter or digit, in its large form; of signs alone the first one. */
function firstLetter(text: string): string {
  const letters = Array.from(graphemes.segment(text.normalize('NFC').trim()), ({ segment }) => segment)
  return (letters.find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? letters[0] ?? '').toUpperCase()
}

/** The mark of a maskable icon stands within the circle that every shape leaves. */
const maskableScale = 0.62

function inMark(y: number, isMaskable: boolean): number {
  return isMaskable ? edge / 2 + (y - 220) * maskableScale : y
}

function scaled({ width, height }: typeof letterBox, isMaskable: boolean): { width: number; height: number } {
  const scale = isMaskable ? maskableScale : 1
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

function ground(isMaskable: boolean): string {
  const place = isMaskable ? `translate(256 256) scale(${maskableScale}) translate(-256 -220)` : ''
  return svgOf(
    edge,
    `<rect width="512" height="512" rx="${isMaskable ? 0 : 112}" fill="${paper}"/>` +
      `<path transform="${place}" fill="${ribbon}" d="M136 0h240v440L256 332l-120 108Z"/>`,
  )
}

function svgOf(size: number, parts: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">${parts}</svg>`
}
