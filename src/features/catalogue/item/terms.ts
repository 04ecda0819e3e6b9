import { decadeOf } from './decade.ts'
import { foldText } from './name-text.ts'
import { yearIn } from './field-readers.ts'

/**
 * The kinds of value by which items are found whole, without case and accents (docs/spec/search.md#terms): of a work's languages
 * `pt-BR` is found by `pt` too, and its year by its decade, `1890` for 1890 to 1899.
 */
export const termKinds = ['language', 'format', 'decade', 'creator', 'series', 'tag'] as const
export type TermKind = (typeof termKinds)[number]
/** The first kinds, which facets count. */
export const countedKinds = termKinds.slice(0, 3) as readonly ('language' | 'format' | 'decade')[]

/** The values that are asked for, as typed. */
export type TermQuery = { readonly [kind in TermKind]?: string | undefined }

/** One value of an item: its kind as the place in `termKinds`, and its spelling. */
export type Term = readonly [kind: number, value: string]

/** Between the kinds of values, and between the values of one, in the text of an item's values. No name has them. */
export const [betweenKinds, betweenValues] = ['\x1f', '\x1e']

/**
 * The values in the text that `termsText` reads: of each kind its values, the year in place of the decade. Each is there once.
 */
export function termsIn(text: string): Term[] {
  if (text.length < termKinds.length) return []
  const terms: Term[] = []
  for (const [kind, values] of text.split(betweenKinds).entries()) {
    if (values === '') continue
    for (const value of values.split(betweenValues))
      if (termKinds[kind] === 'language') terms.push(...withShorter(value).map((each) => [kind, each] as const))
      else if (termKinds[kind] === 'decade') terms.push(...decadeIn(value).map((each) => [kind, each] as const))
      else terms.push([kind, value])
  }
  return terms
}

/** A value as it is compared: its kind, and the value folded. */
export function termKey(kind: number, value: string): string {
  return `${kind}${foldText(value)}`
}

/** `zh-Hant-TW`, `zh-Hant` and `zh`. */
function withShorter(language: string): string[] {
  if (!language.includes('-')) return [language]
  const parts = language.split('-')
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('-'))
}

function decadeIn(year: string): string[] {
  const number = yearIn(year)
  return number === undefined ? [] : [String(decadeOf(number))]
}
