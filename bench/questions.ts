import { Random } from './random.ts'
import { makeVocabulary } from './words.ts'

export const searchPath = '/universal-search/search'

/** A question to the search, as its parameters. */
export type Query = Record<string, string>

export function pathOf(query: Query): string {
  return `${searchPath}?${new URLSearchParams({ limit: '300', ...query }).toString()}`
}

const types = ['asian', 'western'] as const
const months = Array.from({ length: 12 }, (_, i) => String(i + 1).padStart(2, '0'))
export const categories = [
  'Asian',
  'Western',
  'Banned',
  'Unknown',
  'TikTok',
  'Instagram',
  'Literature',
  'Film',
  'Music',
  'Art',
]

/** A quarter of an hour of visitors, say: 338 different queries, shuffled. */
export function mixOfQueries(): Query[] {
  const random = new Random(338)
  const vocabulary = makeVocabulary(new Random(20_031))
  const queries: Query[] = []
  for (const contentType of types) {
    for (let page = 1; page <= 40; page += 1) queries.push({ contentType, page: String(page) })
    for (const month of months) for (const page of ['1', '2']) queries.push({ contentType, month, page })
    for (const category of categories) queries.push({ contentType, category })
    for (const dateFilter of ['today', 'yesterday', '7days']) queries.push({ contentType, dateFilter })
  }
  for (const category of ['Banned', 'Unknown']) {
    for (const sortOrder of ['ASC', 'DESC']) {
      for (let page = 1; page <= 8; page += 1) queries.push({ category, tier: 'free', sortOrder, page: String(page) })
    }
  }
  for (const words of Object.values(vocabulary)) {
    for (const rank of [0, 3, 10, 30, 50, 100, 1_000, 5_000])
      queries.push({ search: words[rank] as string, tier: 'free' })
  }
  while (queries.length < 338) {
    queries.push({
      region: random.pick(types),
      month: random.pick(months),
      page: String((queries.length % 9) + 1),
      sortOrder: random.pick(['ASC', 'DESC']),
    })
  }
  for (let i = queries.length - 1; i > 0; i -= 1) {
    const j = random.integer(i + 1)
    ;[queries[i], queries[j]] = [queries[j] as Query, queries[i] as Query]
  }
  return queries
}

/** Words of names, each in one question of one round only. Common ones stand in many names, rare ones in a few. */
export function wordsNotSearchedBefore(kind: 'common' | 'rare', rounds: number, each: number): Query[][] {
  const vocabulary = makeVocabulary(new Random(20_031))
  const from = kind === 'common' ? 20 : 3_000
  const scripts = Object.values(vocabulary)
  const words = new Set<string>()
  for (let i = 0; words.size < rounds * each; i += 1) {
    const ofScript = scripts[i % scripts.length] as string[]
    words.add(ofScript[from + Math.floor(i / scripts.length)] as string)
  }
  const all = [...words].map((search) => ({ search, tier: 'free' }))
  return Array.from({ length: rounds }, (_, round) => all.slice(round * each, (round + 1) * each))
}
