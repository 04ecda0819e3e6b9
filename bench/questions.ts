import { Random } from './random.ts'
import { makeVocabulary } from './words.ts'

export const searchPath = '/universal-search/search'

/** A question to the search, as its parameters. */
export type Question = Record<string, string>

export function pathOf(question: Question): string {
  return `${searchPath}?${new URLSearchParams({ limit: '300', ...question }).toString()}`
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

/** What visitors ask within a quarter of an hour, say: 338 different questions, shuffled. */
export function mixOfQuestions(): Question[] {
  const random = new Random(338)
  const vocabulary = makeVocabulary(new Random(20_031))
  const questions: Question[] = []
  for (const contentType of types) {
    for (let page = 1; page <= 40; page += 1) questions.push({ contentType, page: String(page) })
    for (const month of months) for (const page of ['1', '2']) questions.push({ contentType, month, page })
    for (const category of categories) questions.push({ contentType, category })
    for (const dateFilter of ['today', 'yesterday', '7days']) questions.push({ contentType, dateFilter })
  }
  for (const category of ['Banned', 'Unknown']) {
    for (const sortOrder of ['ASC', 'DESC']) {
      for (let page = 1; page <= 8; page += 1) questions.push({ category, tier: 'free', sortOrder, page: String(page) })
    }
  }
  for (const words of Object.values(vocabulary)) {
    for (const rank of [0, 3, 10, 30, 50, 100, 1_000, 5_000])
      questions.push({ search: words[rank] as string, tier: 'free' })
  }
  while (questions.length < 338) {
    questions.push({
      region: random.pick(types),
      month: random.pick(months),
      page: String((questions.length % 9) + 1),
      sortOrder: random.pick(['ASC', 'DESC']),
    })
  }
  for (let i = questions.length - 1; i > 0; i -= 1) {
    const j = random.integer(i + 1)
    ;[questions[i], questions[j]] = [questions[j] as Question, questions[i] as Question]
  }
  return questions
}

/** Names that are searched for: words of every rank, and some that only one item has. */
export function nameQuestions(count: number): Question[] {
  const random = new Random(5)
  const vocabulary = makeVocabulary(new Random(20_031))
  return Array.from({ length: count }, () => {
    const words = random.pick(Object.values(vocabulary))
    return { search: words[100 + random.integer(2_000)] as string, tier: 'free' }
  })
}
