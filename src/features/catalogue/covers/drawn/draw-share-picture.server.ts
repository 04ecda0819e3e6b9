import anyAscii from 'any-ascii'
import type Sharp from 'sharp'
import { openPictureTool } from '../picture-tool.server.ts'
import { drawCover, drawing, writing } from './draw-cover.server.ts'
import type { DrawnWork } from './drawn-work.ts'
import { inksByDay } from './inks.ts'
import { paperOf } from './papers.ts'
import { beyondSerif, escaped, setText } from './set-text.server.ts'

/** The size that is shown where a page is shared. */
const shared = { width: 1200, height: 630 } as const
/** The part of it that the paper has, or the picture. */
const band = { x: 800, width: 400 } as const
const frame = { width: 320, height: 510 } as const

/**
 * The picture of an entry for those who share its page, as PNG: its cover over the paper that the slug chooses, or the paper alone,
 * with title and creator beside it. Letters that the serif lacks are set in the fonts of this machine; where it has none for them,
 * the text is spelled in Latin letters.
 * @param cover as it is stored
 */
export async function drawSharePicture(work: DrawnWork, brand: string, cover: Buffer | undefined): Promise<Buffer> {
  const sharp = await openPictureTool()
  const spelled = await inShownWords(sharp, work)
  const picture = sharp(Buffer.from(shareDrawing(spelled, await inShownLetters(sharp, brand))))
  if (cover !== undefined) {
    const { data, info } = await sharp(cover)
      .resize({ ...frame, fit: 'inside' })
      .png()
      .toBuffer({ resolveWithObject: true })
    const left = Math.round(band.x + (band.width - info.width) / 2)
    picture.composite([{ input: data, left, top: Math.round((shared.height - info.height) / 2) }])
  }
  return picture.png({ palette: cover === undefined, compressionLevel: 9 }).toBuffer()
}

/**
 * The cover of an entry as JPEG: the one that is stored, or the drawn one.
 * @param cover as it is stored
 */
export async function drawPhoto(work: DrawnWork, cover: Buffer | undefined): Promise<Buffer> {
  const sharp = await openPictureTool()
  const picture = cover ?? Buffer.from(drawCover(await inShownWords(sharp, work)))
  return sharp(picture).flatten({ background: '#fff' }).jpeg({ quality: 82 }).toBuffer()
}

async function inShownWords(sharp: typeof Sharp, work: DrawnWork): Promise<DrawnWork> {
  const shown = (text: string): Promise<string> => inShownLetters(sharp, text)
  return { ...work, name: await shown(work.name), creators: await Promise.all(work.creators.map(shown)) }
}

export async function inShownLetters(sharp: typeof Sharp, text: string): Promise<string> {
  const letter = beyondSerif(text)
  // One letter tells of its script.
  if (letter === undefined || (await hasFontFor(sharp, letter))) return text
  // 'HongLouMeng', and in scripts without capitals 'ramcritmans'.
  const spelled = anyAscii(text).replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return spelled.slice(0, 1).toUpperCase() + spelled.slice(1)
}

/** A letter without a font is drawn as a box with its number, which is as large as that of a letter that nobody has. */
async function hasFontFor(sharp: typeof Sharp, letter: string): Promise<boolean> {
  const nobodys = (letter.codePointAt(0) ?? 0) > 0xffff ? '\u{10fffd}' : '\u2fe0'
  const [own, box] = await Promise.all(
    [letter, nobodys].map(async (one) => {
      const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120"><text x="30" y="80" font-size="60" font-family="serif">${escaped(one)}</text></svg>`
      const { info } = await sharp(Buffer.from(drawn)).trim().toBuffer({ resolveWithObject: true })
      return [info.width, info.height, info.trimOffsetLeft, info.trimOffsetTop].join()
    }),
  )
  return own !== box
}

function shareDrawing(work: DrawnWork, brand: string): string {
  const { width, height } = shared
  const inks = inksByDay[work.shelf]
  const { texts } = writing(work, {
    x: 96,
    y: 84,
    width: 640,
    height: 420,
    sizes: [84, 76, 68, 60, 52, 46, 40, 34, 29],
  })
  const below = setText(
    { text: brand, width: 640, height: 40, sizes: [30], leading: 1.2 },
    { x: 96, y: 536 },
    `fill="${inks.title}"`,
  )
  const paper = paperOf(work.slug, { x: band.x, y: 0, width: band.width, height }, 2)
  return drawing(work, { width, height }, [
    `<path fill="${inks.ground}" d="M0 0H${width}V${height}H0Z"/>`,
    `<svg x="${band.x}" y="0" width="${band.width}" height="${height}" viewBox="${band.x} 0 ${band.width} ${height}"><path fill="none" stroke="${inks.line}" stroke-width="1.8" stroke-opacity=".62" d="${paper}"/></svg>`,
    `<path fill="none" stroke="${inks.line}" stroke-width="3" d="M24 0V${height}M36 0V${height}"/>`,
    `<path fill="${inks.solid}" d="M1110 0h42v100l-21 -18l-21 18z"/>`,
    texts,
    below.svg,
  ])
}
