import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drawCover } from './draw-cover.server.ts'
import type { DrawnWork } from './drawn-work.ts'
import { drawSharePicture } from './draw-share-picture.server.ts'
import { setText } from './set-text.server.ts'
import { inksByDay, inksByNight } from './inks.ts'
import { openPictureTool } from '../picture-tool.server.ts'

const work: DrawnWork = {
  slug: 'hamlet',
  name: 'Hamlet',
  creators: ['William Shakespeare'],
  seriesNumber: undefined,
  shelf: 'western',
}
const draw = (overrides: Partial<DrawnWork> = {}): string => drawCover({ ...work, ...overrides })
const wordsOf = (svg: string): string[] =>
  Array.from(svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g), ([, text = '']) => text)
const outlines = (svg: string): number => (svg.match(/<path class="[tx]"/g) ?? []).length

test('title and creator are outlines of the serif in Latin, Cyrillic and Greek, so that they look the same everywhere', () => {
  for (const [name, creator] of [
    ['Žena & ďábel', 'Karel Čapek'],
    ['Война и мир', 'Лев Толстой'],
    ['Πολιτεία', 'Πλάτων'],
    ['Truyện Kiều', 'Nguyễn Du'],
  ] as const) {
    const svg = draw({ name, creators: [creator] })
    expect(wordsOf(svg), name).toEqual([])
    expect(outlines(svg), name).toBeGreaterThanOrEqual(2)
  }
})

test('other scripts are set as text, from the right where they are read so', () => {
  expect(wordsOf(draw({ name: '紅樓夢', creators: ['曹雪芹'] }))).toEqual(['紅樓夢', '曹雪芹'])
  const arabic = draw({ name: 'ألف ليلة وليلة', creators: [] })
  expect(wordsOf(arabic).join(' ')).toBe('ألف ليلة وليلة')
  expect(arabic).toContain('direction="rtl"')
})

test('a long title wraps and shrinks, and no telling part of it is cut', () => {
  const title = '長い題名'.repeat(40)
  const svg = draw({ name: title })
  expect(wordsOf(svg).join('')).toBe(title)
  const sizes = Array.from(svg.matchAll(/font-size="([\d.]+)"/g), ([, size]) => Number(size))
  expect(Math.max(...sizes)).toBeLessThan(20)
  // A title of 300 letters without a space goes in too.
  expect(outlines(draw({ name: 'm'.repeat(300) }))).toBeGreaterThan(10)
})

test('nothing of a work is ever markup', () => {
  const svg = draw({ name: '</title><script>alert(1)</script> 紅', creators: ['" onload="x', "'&"] })
  expect(svg).not.toMatch(/<script|onload="|'&"/)
  expect(svg).toContain('&#60;script&#62;')
})

test('a slug always has the same paper, another one usually another', () => {
  expect(draw()).toBe(draw())
  const papers = ['hamlet', 'macbeth', 'othello', 'king-lear', 'the-tempest', 'cymbeline'].map((slug) => draw({ slug }))
  expect(new Set(papers).size).toBeGreaterThan(4)
})

test('the colours are those of the tokens', () => {
  const css = readFileSync(join(import.meta.dirname, '../../../../ui/tokens.css'), 'utf8')
  const tokens = Array.from(css.matchAll(/--color-(\w+)-(tint|line|text|solid): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g))
  const parts = { tint: 'ground', line: 'line', text: 'text', solid: 'solid' } as const
  let compared = 0
  for (const [place, inks] of [inksByDay, inksByNight].entries()) {
    for (const shelf of ['asian', 'western', 'banned', 'unknown', 'vip'] as const) {
      // The VIP area is the house by evening in both themes.
      const at = shelf === 'vip' ? 1 : place
      for (const [token, ink] of Object.entries(parts)) {
        const found = tokens.filter(([, name, part]) => name === shelf && part === token)[at]
        expect(inks[shelf][ink], `${shelf} ${token}`).toBe(
          hexOf(...(found?.slice(3).map(Number) as [number, number, number])),
        )
        compared += 1
      }
    }
  }
  expect(compared).toBe(40)
})

test('the picture for those who share a page is 1200 x 630, with the uploaded cover or without', async () => {
  const sharp = await openPictureTool()
  const cover = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#00ff00' } })
    .webp()
    .toBuffer()
  for (const given of [undefined, cover]) {
    const png = await drawSharePicture(work, 'Daybook', given)
    const facts = await sharp(png).metadata()
    expect([facts.format, facts.width, facts.height]).toEqual(['png', 1200, 630])
    const { data } = await sharp(png)
      .extract({ left: 1000, top: 315, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect((data[1] ?? 0) > 240 && (data[0] ?? 0) < 20).toBe(given !== undefined)
  }
})

test('lines are as equal as they can be, and a number within Chinese stays whole', () => {
  const linesOf = (text: string): string[] => {
    const box = { text, width: 222, height: 300, sizes: [29], leading: 1.16 }
    // Text is read more easily than outlines: one letter of each is beyond the serif.
    return [...setText(box, { x: 0, y: 0 }, '').svg.matchAll(/>([^<]+)<\/text>/g)].map(([, line]) => line ?? '')
  }
  expect(linesOf('ก The Forsyte Saga, Volume II.')).toEqual(['ก The', 'Forsyte', 'Saga,', 'Volume II.'])
  expect(linesOf('粉妝樓粉妝樓11-20回')).toEqual(['粉妝樓粉妝', '樓11-20回'])
})

test('a title in letters that this machine has no font for is spelled in Latin letters', async () => {
  const drawn = (name: string): Promise<Buffer> => drawSharePicture({ ...work, name }, 'Daybook', undefined)
  // Nobody has this one.
  expect((await drawn('hamlet \u2fe1')).equals(await drawn('Hamlet'))).toBe(true)
  expect((await drawn('Гамлет')).equals(await drawn('Gamlet'))).toBe(false)
})

function hexOf(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3
  const m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3
  const s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3
  const rgb = [
    4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
    -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
    -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
  ]
  return `#${rgb
    .map((part) => {
      const within = Math.min(1, Math.max(0, part))
      const shown = within <= 0.003_130_8 ? 12.92 * within : 1.055 * within ** (1 / 2.4) - 0.055
      return Math.round(shown * 255)
        .toString(16)
        .padStart(2, '0')
    })
    .join('')}`
}
