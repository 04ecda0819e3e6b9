import { create, type Font, type Glyph, type PathCommand } from 'fontkit'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/*
 * Sets text in the house's serif as outlines, so that it looks the same in every browser, reading program and picture. A text
 * that the serif has no letters for is set by whoever shows the drawing, in the serif that they have.
 */

const parts = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'] as const
const require = createRequire(import.meta.url)
const fonts = new Map<string, Font>()

function fontOf(part: (typeof parts)[number]): Font {
  const known = fonts.get(part)
  if (known !== undefined) return known
  const path = require.resolve(`@fontsource-variable/brygada-1918/files/brygada-1918-${part}-wght-normal.woff2`)
  // A file of the variable family at its own weight, 400.
  const font = create(readFileSync(path)) as Font
  fonts.set(part, font)
  return font
}

/** The part of the family that has a character. */
function partFor(character: string): Font | undefined {
  const point = character.codePointAt(0) ?? 0
  for (const part of parts) {
    const font = fontOf(part)
    if (font.hasGlyphForCodePoint(point)) return font
  }
  return undefined
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const letters = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

/** Writing that has no spaces between its words. */
const isWide = (letter: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\uff00-\uffef\u3000-\u303f]|\p{Extended_Pictographic}/u.test(
    letter,
  )
const isFromRight = (text: string): boolean =>
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)

/** How a text is set: in outlines, or as text where the serif lacks a letter. */
interface Voice {
  isOutlined: boolean
  /** In parts of the size of the type. */
  widthOf(text: string): number
}

function runsOf(text: string): { font: Font; text: string }[] | undefined {
  const runs: { font: Font; text: string }[] = []
  for (const character of text) {
    const before = runs.at(-1)
    // A space, and what goes with any letters, stays in the run.
    const font =
      before !== undefined && before.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
        ? before.font
        : partFor(character)
    if (font === undefined) return undefined
    if (before?.font === font) before.text += character
    else runs.push({ font, text: character })
  }
  return runs
}

/** The first character of a text that the serif lacks. */
export function beyondSerif(text: string): string | undefined {
  return Array.from(text).find((character) => partFor(character) === undefined)
}

function voiceOf(text: string): Voice {
  const isOutlined = runsOf(text) !== undefined
  const known = new Map<string, number>()
  const measure = isOutlined ? outlinedWidth : spokenWidth
  return {
    isOutlined,
    widthOf(part) {
      const width = known.get(part) ?? measure(part)
      known.set(part, width)
      return width
    },
  }
}

function outlinedWidth(text: string): number {
  return (runsOf(text) ?? []).reduce(
    (sum, run) => sum + run.font.layout(run.text).advanceWidth / run.font.unitsPerEm,
    0,
  )
}

/** A guess: the font is not known here. */
function spokenWidth(text: string): number {
  return letters(text).reduce((sum, letter) => sum + (isWide(letter) ? 1 : 0.62), 0)
}

/** The smallest parts of a text that a line may end after. */
function piecesOf(text: string): string[] {
  return text.split(/(?<=\s|-|\/)(?![–—]\s)/u).flatMap((word) => {
    const parts: string[] = []
    for (const letter of letters(word)) {
      const before = parts.at(-1)
      if (before === undefined || isWide(letter) || isWide(before)) parts.push(letter)
      // A number within Chinese stays whole.
      else parts[parts.length - 1] = before + letter
    }
    return parts
  })
}

/** Lines of at most this width; a word that is longer is broken. */
function linesOf(pieces: readonly string[], { widthOf }: Voice, most: number): string[] {
  const lines: string[] = []
  let line = ''
  let width = 0
  const push = (piece: string): void => {
    if (line !== '' && width + widthOf(piece.trimEnd()) > most) {
      lines.push(line.trimEnd())
      line = ''
      width = 0
    }
    line += piece
    width += widthOf(piece)
  }
  for (const piece of pieces) {
    if (widthOf(piece.trimEnd()) <= most) push(piece)
    else for (const letter of letters(piece)) push(letter)
  }
  if (line.trim() !== '') lines.push(line.trimEnd())
  return lines
}

/** As many lines, as equal as they can be: no last word stands alone. */
function balanced(lines: string[], pieces: readonly string[], voice: Voice, most: number): string[] {
  let [even, fits, fails] = [lines, most, 0]
  while (fits - fails > most / 50) {
    const width = (fits + fails) / 2
    const tried = linesOf(pieces, voice, width)
    const isWhole = pieces.every((piece) => voice.widthOf(piece.trimEnd()) <= width)
    if (tried.length === lines.length && isWhole) [even, fits] = [tried, width]
    else fails = width
  }
  return even
}

export interface Wanted {
  text: string
  width: number
  height: number
  /** The sizes of type to try, the largest first. The last one is used however high the text is, and then cut. */
  sizes: readonly number[]
  leading: number
}

export interface SetText {
  svg: string
  height: number
  size: number
}

/**
 * Sets a text in lines, as large as it goes into its box.
 * @param place of the upper left corner of the box
 * @param ink the attributes that colour it
 */
export function setText(
  { text, width, height, sizes, leading }: Wanted,
  place: { x: number; y: number },
  ink: string,
): SetText {
  const clean = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  const voice = voiceOf(clean)
  const pieces = piecesOf(clean)
  let size = sizes.at(-1) ?? 16
  let lines: string[] = []
  for (const each of sizes) {
    size = each
    lines = linesOf(pieces, voice, width / each)
    // No word is broken while a smaller size sets it whole.
    const isWhole = pieces.every((piece) => voice.widthOf(piece.trimEnd()) <= width / each)
    if (lines.length * each * leading <= height && isWhole) break
  }
  if (lines.length > 1) lines = balanced(lines, pieces, voice, width / size)
  const most = Math.max(1, Math.floor(height / (size * leading)))
  if (lines.length > most) lines = [...lines.slice(0, most - 1), `${(lines[most - 1] ?? '').slice(0, -1).trimEnd()}…`]
  const step = size * leading
  const svg = lines
    .map((line, row) => {
      const baseline = place.y + size * 0.84 + row * step
      return voice.isOutlined
        ? outlined(line, { x: place.x, y: baseline, size, ink })
        : spoken(line, { ...place, y: baseline, size, ink, width })
    })
    .join('')
  return { svg, height: lines.length * step, size }
}

interface Line {
  x: number
  y: number
  size: number
  ink: string
}

function outlined(line: string, { x, y, size, ink }: Line): string {
  let path = ''
  let at = 0
  for (const { font, text } of runsOf(line) ?? []) {
    const scale = 1_000 / font.unitsPerEm
    const { glyphs, positions } = font.layout(text)
    for (const [place, glyph] of glyphs.entries()) {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[place] ?? {}
      const outline = outlineOf(font, glyph, scale)
      if (outline !== '') path += `M${Math.round(at + xOffset * scale)} ${Math.round(yOffset * scale)}${outline}`
      at += xAdvance * scale
    }
  }
  const k = size / 1_000
  return `<path ${ink} transform="matrix(${k} 0 0 ${-k} ${round(x)} ${round(y)})" d="${path}"/>`
}

const outlines = new WeakMap<Font, Map<number, string>>()
const commands: Readonly<Record<string, string>> = {
  moveTo: 'm',
  lineTo: 'l',
  quadraticCurveTo: 'q',
  bezierCurveTo: 'c',
  closePath: 'z',
}

/** A letter as steps from wherever the pen is, so that it is reckoned once for all its places. */
function outlineOf(font: Font, glyph: Glyph, scale: number): string {
  const known = outlines.get(font) ?? new Map<number, string>()
  outlines.set(font, known)
  const made = known.get(glyph.id) ?? stepsOf(glyph.path.commands, scale)
  known.set(glyph.id, made)
  return made
}

function stepsOf(path: PathCommand[], scale: number): string {
  let steps = ''
  let pen = { x: 0, y: 0 }
  let start = pen
  for (const { command, args } of path) {
    steps += commands[command] ?? ''
    const points = args.map((value) => Math.round(value * scale))
    for (let place = 0; place < points.length; place += 2) {
      steps += `${place === 0 ? '' : ' '}${(points[place] ?? 0) - pen.x} ${(points[place + 1] ?? 0) - pen.y}`
    }
    if (points.length > 0) pen = { x: points.at(-2) ?? 0, y: points.at(-1) ?? 0 }
    if (command === 'moveTo') start = pen
    if (command === 'closePath') pen = start
  }
  return steps
}

/** One line as text, for whoever shows it. */
function spoken(line: string, { x, y, size, ink, width }: Line & { width: number }): string {
  const fromRight = isFromRight(line)
  const where = fromRight ? `x="${round(x + width)}" direction="rtl"` : `x="${round(x)}"`
  return `<text ${ink} ${where} y="${round(y)}" font-size="${size}" font-family="'Brygada 1918 Variable', 'Noto Serif', 'Noto Serif CJK SC', 'Songti SC', 'Times New Roman', serif">${escaped(line)}</text>`
}

const round = (value: number): number => Math.round(value * 100) / 100

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
