import { type ItemRow, rowsPerPage } from '../../item/listing.ts'
import { monthNames } from '../../search/month-names.ts'

/** How many rows at most are written, laid out and skipped together. */
export const rowsPerBlock = 50

/** Consecutive rows of one day. Once made it stays the same object, and what was written from it stays as it is. */
export interface Block {
  rows: readonly ItemRow[]
  /** How many rows stand before it in the list, also on pages that are not loaded. */
  before: number
  /** Whether its rows show their dates: no heading does. */
  isDated?: boolean
}

export interface DayGroup {
  /** `YYYY-MM-DD` in the site's time zone; empty when the date is not one. Undefined in a list that is not in the order of time. */
  day: string | undefined
  blocks: readonly Block[]
}

export interface MonthGroup {
  /** `YYYY-MM`; empty where its days are no dates. Undefined in a list that is not in the order of time. */
  month: string | undefined
  days: readonly DayGroup[]
}

/** The pages of a list as one: every entry once, in their order, cut where the day changes. */
export interface Entries {
  days: readonly DayGroup[]
  count: number
  /** The category of all rows; undefined where they differ. */
  category: string | undefined
  pages: readonly Page[]
  isByFit: boolean
  slugs: readonly ReadonlySet<string>[]
}

interface Page {
  rows: readonly ItemRow[]
  /** Its number; the one behind those before it where it has none. */
  page?: number
}

/** The lists built so far, by the rows of the last page. */
const known = new WeakMap<readonly ItemRow[], Entries>()

/**
 * Puts the pages of a list together. A further page adds its own blocks: the work does not grow with what is there
 * already, and the blocks before it are the same objects as without it.
 */
export function entriesOf(pages: readonly Page[], isByFit = false): Entries {
  const last = pages.at(-1)
  if (last === undefined) return { days: [], count: 0, category: undefined, pages: [], isByFit, slugs: [] }
  const made = known.get(last.rows)
  const isSame = made?.pages.length === pages.length && made.isByFit === isByFit
  if (isSame && made.pages.every(({ rows }, index) => rows === pages[index]?.rows)) return made
  const entries = addPage(entriesOf(pages.slice(0, -1), isByFit), last)
  known.set(last.rows, entries)
  return entries
}

function addPage({ days: former, count: before, category, pages, isByFit, slugs }: Entries, page: Page): Entries {
  // An item that is published while a list is read moves others from one page to the next.
  const own = new Set<string>()
  const fresh = page.rows.filter(({ slug }) => {
    if (own.has(slug) || slugs.some((each) => each.has(slug))) return false
    own.add(slug)
    return true
  })
  const rows = fresh.length === page.rows.length ? page.rows : fresh
  const days = [...former]
  const first = page.page === undefined ? before : (page.page - 1) * rowsPerPage
  for (const block of blocksOf(rows, first, isByFit)) {
    const day = isByFit ? undefined : block.rows[0]?.day
    const last = days.at(-1)
    if (last !== undefined && last.day === day) days[days.length - 1] = { day, blocks: [...last.blocks, block] }
    else days.push({ day, blocks: [block] })
  }
  const common = before === 0 ? rows[0]?.category : category
  return {
    days,
    count: before + rows.length,
    category: rows.every((row) => row.category === common) ? common : undefined,
    pages: [...pages, page],
    isByFit,
    slugs: [...slugs, own],
  }
}

/** The blocks made so far, by the rows of their page. */
const knownBlocks = new WeakMap<readonly ItemRow[], readonly Block[]>()

/** They stay the same objects where pages come before their page. */
function blocksOf(rows: readonly ItemRow[], first: number, isDated: boolean): readonly Block[] {
  const known = knownBlocks.get(rows)
  if (known?.[0]?.before === first && known[0].isDated === isDated) return known
  const blocks: Block[] = []
  for (let start = 0, end = 0; start < rows.length; start = end) {
    const { day } = rows[start] as ItemRow
    const belongs = (row: ItemRow | undefined): boolean => isDated || row?.day === day
    while (end < rows.length && end - start < rowsPerBlock && belongs(rows[end])) end += 1
    blocks.push({ rows: rows.slice(start, end), before: first + start, isDated })
  }
  knownBlocks.set(rows, blocks)
  return blocks
}

/** Days in their order, cut where the month changes. */
export function monthsOf(days: readonly DayGroup[]): MonthGroup[] {
  const months: (MonthGroup & { days: DayGroup[] })[] = []
  for (const group of days) {
    const month = group.day?.slice(0, -3)
    const last = months.at(-1)
    if (last !== undefined && last.month === month) last.days.push(group)
    else months.push({ month, days: [group] })
  }
  return months
}

/** A month as a list is headed with, 'March' and '2024'; undefined for what is none. */
export function wordsOfMonth(month: string | undefined): { month: string; year: string } | undefined {
  return wordsOfDay(`${month}-01`)
}

/** 'Mon' to 'Sun'; undefined for what is not a calendar day. */
export function weekdayOf(day: string): string | undefined {
  const at = new Date(`${day}T00:00Z`).getUTCDay()
  return ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][at]
}

/** The three words of a date heading, 'March 05, 2024'; undefined for what is not a calendar day. */
export function wordsOfDay(day: string): { month: string; day: string; year: string } | undefined {
  const [, year = '', month, date = ''] = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(day) ?? []
  const name = monthNames[Number(month) - 1]
  if (name === undefined || Number(date) < 1 || Number(date) > 31) return undefined
  return { month: name, day: date, year: String(Number(year)) }
}

/** A day in the long English form of a detail page, 'March 5, 2024'. */
export function longDay(day: string): string {
  const words = wordsOfDay(day)
  return words === undefined ? 'Invalid Date' : `${words.month} ${Number(words.day)}, ${words.year}`
}
