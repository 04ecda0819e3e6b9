import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { luminanceOf } from './contrast.ts'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const dark = css.indexOf('body:not(.light-mode) {')

function palette(source: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const [, name, lightness, chroma, hue] of source.matchAll(
    /--color-([a-z-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g,
  )) {
    found.set(name ?? '', luminanceOf([Number(lightness), Number(chroma), Number(hue)]))
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
