import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isTitleItself } from '../src/features/catalogue/index/names/rank-by-fit.server.ts'
import { decodePayload } from '../src/features/catalogue/item/encoding.ts'
import { beginning, inside, whole } from '../src/features/catalogue/index/names/vocabulary.server.ts'
import { foldText, wordsOf } from '../src/features/catalogue/item/name-text.ts'
import { betweenParts, betweenSpellings, titleIn } from '../src/features/catalogue/item/searched-text.ts'
import type { EditedItem } from './edit-catalogue.ts'
import { clientKey } from './load.ts'
import { ask } from './processes.ts'
import { categories, pathOf, type Query } from './questions.ts'
import type { Random } from './random.ts'

/** So long an edit may take to show (P13). */
const showsWithinMs = 1_000
const limit = 300

interface Row {
  no: number
  /** Everything by which one state of an item is told from another, as JSON. */
  state: string
  searched: string
}

/** All that a question finds, in its order. */
type Truth = Pick<Row, 'no' | 'state'>[]

interface Answer {
  /** The first page, in its order. */
  states: string[]
  total: number
}

interface Checked {
  samples: number
  /** Those during which nothing changed what they are of: the answer had to be exactly one. */
  exact: number
  /** A line for each wrong answer. */
  wrong: string[]
}

/** Asks servers for random items and searches, and compares what they say with SQL while the catalogue changes. */
export class AnswerChecker {
  readonly #client: pg.Client
  readonly #items: readonly EditedItem[]
  readonly #random: Random

  constructor(client: pg.Client, items: readonly EditedItem[], random: Random) {
    this.#client = client
    this.#items = items
    this.#random = random
  }

  async run(ports: readonly number[], over: AbortSignal): Promise<Checked> {
    const checked: Checked = { samples: 0, exact: 0, wrong: [] }
    while (!over.aborted) {
      const questions = Array.from({ length: 24 }, () => this.#anyQuestion())
      const before = await this.#truthsOf(questions)
      await sleep(showsWithinMs)
      const answers = await Promise.all(questions.map((query, i) => answerTo(ports[i % ports.length] as number, query)))
      const after = await this.#truthsOf(questions)
      for (const [i, query] of questions.entries()) {
        const [first, last, answer] = [before[i] as Truth, after[i] as Truth, answers[i] as Answer]
        const isExact = first.map(({ state }) => state).join() === last.map(({ state }) => state).join()
        const fault = faultOf(answer, first, last)
        checked.samples += 1
        if (isExact) checked.exact += 1
        if (fault !== undefined) checked.wrong.push(`${JSON.stringify(query)}: ${fault}`)
      }
    }
    return checked
  }

  #anyQuestion(): Query {
    const random = this.#random
    const item = random.pick(this.#items)
    const order = { sortOrder: random.pick(['ASC', 'DESC']) }
    const words = wordsOf(item.name)
    const contentType = random.pick(['asian', 'western'])
    const month = String(random.integer(12) + 1).padStart(2, '0')
    switch (random.integer(4)) {
      case 0:
        return { slug: item.slug }
      case 1:
        return { search: words.slice(0, 2).join(' '), tier: 'free', sortBy: 'fit' }
      case 2:
        return { search: random.pick(words), contentType: 'asian', ...order }
      default:
        return { contentType, month, category: random.pick(categories), ...order }
    }
  }

  /** All at one moment. */
  async #truthsOf(questions: readonly Query[]): Promise<Truth[]> {
    await this.#client.query('begin isolation level repeatable read')
    const truths: Truth[] = []
    for (const query of questions) truths.push(await this.#truthOf(query))
    await this.#client.query('commit')
    return truths
  }

  async #truthOf(query: Query): Promise<Truth> {
    const words = wordsOf(query['search'] ?? '')
    const { rows: found } = await this.#client.query<Omit<Row, 'state'> & { facts: unknown[] }>(
      `select no, searched,
              json_build_array(i.id, i.name, c.name, i.content_type, i.region, extract(epoch from post_date)::float8) as facts
         from items i join categories c on c.id = i.category_id
        where status = 'published' and post_date <= now() and (lapses_at is null or lapses_at > now())
          and content_type not like 'vip%' and ($1::text is null or slug = $1) and ($2::text is null or content_type = $2)
          and ($3::int is null or post_month = $3) and ($4::text is null or c.name = $4)
          and not exists (select from unnest($5::text[]) word where strpos(searched, word) = 0)
        order by post_date desc, i.created_at desc, no desc`,
      [query['slug'], query['contentType'], query['month'], query['category'], words],
    )
    const rows = found.map(({ no, searched, facts }): Row => ({ no, searched, state: JSON.stringify(facts) }))
    if (query['sortOrder'] === 'ASC') return rows.reverse()
    if (query['sortBy'] !== 'fit') return rows
    const ranks = new Map(rows.map(({ no, searched }) => [no, rankOf(searched, query['search'] ?? '')]))
    return rows.sort((a, b) => (ranks.get(a.no) as number) - (ranks.get(b.no) as number))
  }
}

/**
 * Between two moments no item changes twice: what is the same at both was so all the time.
 * @returns how an answer is wrong; undefined for a right one
 */
function faultOf({ states, total }: Answer, first: Truth, last: Truth): string | undefined {
  const firstStates = new Set(first.map(({ state }) => state))
  const firstNumbers = new Set(first.map(({ no }) => no))
  const possible = new Set([...firstStates, ...last.map(({ state }) => state)])
  const unchanged = last.flatMap(({ state }) => (firstStates.has(state) ? [state] : []))
  const certain = new Set(unchanged)
  const always = last.filter(({ no }) => firstNumbers.has(no)).length
  const ever = first.length + last.length - always
  if (total < always || total > ever) return `the total is ${total}, and was from ${always} to ${ever}`
  const page = Math.min(limit, total)
  if (states.length !== page) return `${states.length} rows of ${page}`
  const impossible = states.find((state) => !possible.has(state))
  if (impossible !== undefined) return `${impossible} was never so`
  const found = states.filter((state) => certain.has(state))
  const wanted = unchanged.slice(0, page < limit ? unchanged.length : found.length)
  const place = wanted.findIndex((state, i) => state !== found[i])
  if (place !== -1 || found.length !== wanted.length)
    return `${found[place] ?? 'nothing'} stands in place of ${wanted[place] ?? 'nothing'}`
  return undefined
}

/** As docs/spec/search.md#fit says: the lower, the better. */
function rankOf(searched: string, text: string): number {
  const fits = wordsOf(text).map((word) => fitIn(searched, word))
  const fit = Math.min(...fits.map((each) => each >> 1))
  const isOfTitle = fits.every((each) => each % 2 === 1)
  const title = titleIn(searched)
  const unsaid = Math.max(0, title.split(' ').length - (isOfTitle ? fits.length : 0))
  const isTitle = fit === 3 && isOfTitle && isTitleItself(title, foldText(text))
  return -fit * 1_000 + (isTitle ? 0 : 500) + (isOfTitle ? 0 : 250) + Math.min(63, unsaid)
}

/** How well the best word of a searched text answers a word, doubled, and one more where that stands in a title; 0 for no word. */
function fitIn(searched: string, requested: string): number {
  const namesEnd = searched.indexOf(betweenParts, searched.indexOf(betweenParts) + 1)
  let best = 0
  for (let at = searched.indexOf(requested); at !== -1; at = searched.indexOf(requested, at + 1)) {
    const isBeginning = at === 0 || breaks.has(searched.charAt(at - 1))
    const end = at + requested.length
    const isEnd = end === searched.length || breaks.has(searched.charAt(end))
    const fit = isBeginning ? (isEnd ? whole : beginning) : inside
    best = Math.max(best, fit * 2 + (at < namesEnd ? 1 : 0))
  }
  return best
}

/** Between the words of a searched text, and their spellings. */
const breaks = new Set([' ', betweenSpellings, betweenParts])

interface AnsweredItem {
  id: string
  name: string
  category: string
  contentType: string
  region: string
  postDate: string
}

async function answerTo(port: number, query: Query): Promise<Answer> {
  const { slug } = query
  if (slug === undefined) {
    const { status, body } = await ask(port, pathOf(query), clientKey)
    if (status !== 200) throw new Error(`${JSON.stringify(query)} answers ${status}.`)
    const { data } = JSON.parse(body.toString()) as { data: string }
    const page = decodePayload(data) as { data: AnsweredItem[]; total: number }
    return { states: page.data.map(stateOf), total: page.total }
  }
  const { status, body } = await ask(port, `/asiancontent/${slug}`, clientKey)
  if (status !== 200) return { states: [], total: 0 }
  const { data } = JSON.parse(body.toString()) as { data: string }
  return { states: [stateOf(decodePayload(data) as AnsweredItem)], total: 1 }
}

/** As the database writes it. */
function stateOf({ id, name, category, contentType, region, postDate }: AnsweredItem): string {
  return JSON.stringify([id, name, category, contentType, region, Date.parse(postDate) / 1_000])
}
