import { expect, test } from 'vitest'
import { languageOf } from './language-of.ts'

test.each([
  ['Les Misérables — Hugo', undefined],
  ['羅生門 — Akutagawa', 'zh'],
  ['マルチン・ルターの小信仰問答書', 'ja'],
  ['春香傳 — 춘향전', 'ko'],
  ['ألف ليلة وليلة', 'ar'],
  ['गोदान', 'hi'],
  ['Война и мир', 'ru'],
])('%s', (name, language) => {
  expect(languageOf(name)).toBe(language)
})
