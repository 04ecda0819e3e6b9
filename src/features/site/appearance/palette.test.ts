import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { oklchOf } from '../../../ui/contrast.ts'
import { alikeShelves, colouredShelves, colourSheet, measure, neutrals, paletteOf, themes } from './palette.ts'

const none = { asian: '', western: '', unknown: '', vip: '' }

test('the colours that contrasts are measured against are those of the style sheet', () => {
  const css = readFileSync(new URL('../../../ui/tokens.css', import.meta.url), 'utf8')
  const dark = css.indexOf('body:not(.light-mode) {')
  for (const theme of themes) {
    const own = theme === 'light' ? css.slice(0, dark) : css.slice(dark)
    for (const [name, [lightness, chroma, hue]] of Object.entries(neutrals[theme]))
      expect(own, name).toContain(`--color-${name}: oklch(${lightness} ${chroma} ${hue})`)
  }
})

test('a colour is read as the browser reads it', () => {
  // As CSS Color 4 has it.
  const [lightness, chroma, hue] = oklchOf('#ff0000')
  expect([lightness.toFixed(3), chroma.toFixed(3), hue.toFixed(1)]).toEqual(['0.628', '0.258', '29.2'])
  expect(oklchOf('#ffffff')[0]).toBeCloseTo(1, 3)
  expect(oklchOf('#808080')[1]).toBeCloseTo(0, 3)
})

test('whatever colour is chosen stays readable in both themes, but a glaring one, which is found out', () => {
  const low: string[] = []
  for (const shelf of colouredShelves) {
    for (const hex of [
      '#7a3fb0',
      '#ffee00',
      '#00ffcc',
      '#000000',
      '#ffffff',
      '#00aa55',
      '#1144ff',
      '#e01080',
      '#808080',
      '#b0820d',
    ]) {
      const measured = measure(shelf, paletteOf(shelf, hex))
      expect(measured.map(({ theme, what }) => `${theme} ${what}`)).toEqual(
        themes.flatMap((theme) => ['text', 'marks', 'text on the colour'].map((what) => `${theme} ${what}`)),
      )
      for (const { theme, what, ratio, least } of measured)
        if (ratio < least) low.push(`${shelf} ${hex}: ${what} in ${theme} ${ratio.toFixed(1)}`)
    }
  }
  expect(low).toEqual(['vip #00ffcc: marks in light 2.9'])
})

test('a style sheet has what was chosen, in both themes', () => {
  expect(colourSheet(none)).toBe('')
  const sheet = colourSheet({ ...none, western: '#00aa55' })
  expect(sheet).toMatch(
    /^:root\{--color-western-tint:oklch\([^)]+\);--color-western-line:[^}]+\}body:not\(\.light-mode\)\{--color-western-tint:[^}]+\}$/,
  )
  expect(sheet).not.toContain('asian')
})

test('two shelves that look alike are named', () => {
  expect(alikeShelves(none)).toBeUndefined()
  expect(alikeShelves({ ...none, asian: '#7a3fb0', western: '#00aa55' })).toBeUndefined()
  expect(alikeShelves({ ...none, asian: '#7a3fb0', vip: '#7a40b4' })).toEqual(['asian', 'vip'])
})
