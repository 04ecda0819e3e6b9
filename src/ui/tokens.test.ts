import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** sRGB luminance of an OKLCH colour, by the matrices of CSS Color 4; out-of-gamut channels are clipped as a screen clips them. */
function luminance(lightness: number, chroma: number, hueDegrees: number): number {
  const hue = (hueDegrees * Math.PI) / 180
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (channel: number) => Math.min(1, Math.max(0, channel))
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const dark = css.indexOf('body:not(.light-mode) {')

function palette(source: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const [, name, lightness, chroma, hue] of source.matchAll(
    /--color-([a-z-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g,
  )) {
    found.set(name ?? '', luminance(Number(lightness), Number(chroma), Number(hue)))
  }
  return found
}

const themes = { light: palette(css.slice(0, dark)), dark: palette(css.slice(dark)) }
const accents = ['asian', 'western', 'banned', 'unknown', 'vip']
const grounds = ['page', 'raised', 'sunk', 'hover']

const pairs: [text: string, ground: string, least: number][] = [
  ...grounds.flatMap((ground): [string, string, number][] => [
    ['ink', ground, 7],
    ['soft', ground, 4.5],
    ['quiet', ground, 4.5],
    ...accents.map((accent): [string, string, number] => [`${accent}-text`, ground, 4.5]),
  ]),
  ...['page', 'raised', 'sunk'].flatMap((ground): [string, string, number][] => [
    ['edge', ground, 3],
    ...accents.map((accent): [string, string, number] => [`${accent}-line`, ground, 3]),
    ...accents.map((accent): [string, string, number] => [`${accent}-solid`, ground, 3]),
  ]),
  ...accents.flatMap((accent): [string, string, number][] => [
    [`${accent}-text`, `${accent}-tint`, 4.5],
    ['ink', `${accent}-tint`, 7],
    ['soft', `${accent}-tint`, 4.5],
    [accent === 'vip' ? 'on-vip' : 'on-solid', `${accent}-solid`, 4.5],
  ]),
  ['ink', 'pressed', 7],
  ['soft', 'pressed', 4.5],
]

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(pairs)('%s on %s has a contrast of at least %d', (text, ground, min) => {
    const one = themes[theme].get(text) ?? Number.NaN
    const other = themes[theme].get(ground) ?? Number.NaN
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    expect(contrast).toBeGreaterThanOrEqual(min)
  })
})
