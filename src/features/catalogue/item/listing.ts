import type { GatewayProvider } from '../catalogue-config.server.ts'
import type { ContentType, Region } from './content-type.ts'
import type { ItemForReader } from './item-with-links-schema.ts'
import type { HostLetter, LinkSlot, LinkState, MirrorCount } from './link-slots.ts'

/** The fields of one row of a list; the page embeds hundreds of them, so it carries nothing else. */
export interface ItemRow {
  name: string
  slug: string
  category: string
  contentType: ContentType
  /** The creators, separated by semicolons. */
  creators?: string
  /** The other titles, separated by semicolons. */
  alsoKnownAs?: string
  /** The day of the post date in the site's time zone, `YYYY-MM-DD`. */
  day: string
  /** A free item that is only VIPs' until its post date. */
  vipFirst?: boolean
  marks?: RowMarks
}

export type MarkedText = 'name' | 'creators' | 'alsoKnownAs'

/** Where marks begin and end in a text of a row, in turn, in UTF-16 units. */
export type RowMarks = { [Text in MarkedText]?: readonly number[] }

/** An item as the HTTP interface lists it, as far as its row says it. */
export type ListedRow = Omit<ItemRow, 'day' | 'vipFirst' | 'creators' | 'alsoKnownAs' | 'marks'> & {
  creators?: readonly string[] | undefined
  alsoKnownAs?: readonly string[] | undefined
}

export function rowOf(item: ListedRow, day: string): ItemRow {
  const { name, slug, category, contentType, creators = [], alsoKnownAs = [] } = item
  return withTexts({ name, slug, category, contentType, day }, creators.join('; '), alsoKnownAs.join('; '))
}

function withTexts(row: ItemRow, creators: string, alsoKnownAs: string): ItemRow {
  if (creators !== '') row.creators = creators
  if (alsoKnownAs !== '') row.alsoKnownAs = alsoKnownAs
  return row
}

/*
 * The rows of a page, as its data carries them for the browser where they do not stand on the page in just this form: one
 * text instead of hundreds of objects. Writing, sending and reading them is work on the way to the first interaction. No
 * separator occurs in a name; both have a short escape, which the page's script repeats twice.
 */
const betweenFields = '\t'
const betweenRows = '\n'

export function packRow({ name, slug, category, contentType, day, creators = '', alsoKnownAs }: ItemRow): string {
  const packed = `${name}${betweenFields}${slug}${betweenFields}${category}${betweenFields}${contentType}${betweenFields}${day}${betweenFields}${creators}`
  return alsoKnownAs === undefined ? packed : packed + betweenFields + alsoKnownAs
}

export function unpackRow(packed: string): ItemRow {
  return rowOfTexts(packed.split(betweenFields))
}

export function rowOfTexts(texts: readonly string[]): ItemRow {
  const [name = '', slug = '', category = '', contentType = '', day = '', creators = '', alsoKnownAs = ''] = texts
  return withTexts({ name, slug, category, contentType: contentType as ContentType, day }, creators, alsoKnownAs)
}

/**
 * A page of a list for the browser. Its counts go with the rows: beside them stands what many pages have alike. In place
 * of rows that the browser reads off the page stand their days, on one line with the counts.
 */
export interface PackedPage extends Pick<ListingPage, 'nearest' | 'didYouMean' | 'firstYear'> {
  filters: Omit<ListingFilters, 'page'>
  rows: string
  /** Those of the rows of a search, as JSON. */
  marks?: string
}

/** The pages that were packed here: the server need not unpack them. */
export const packedPages = new WeakMap<PackedPage, ListingPage>()

/** @param isWritten whether its rows are written on the page that carries it */
export function packPage(page: ListingPage, isWritten: boolean): PackedPage {
  const { filters, rows, total, totalPages, ...rest } = page
  const { page: number, ...others } = filters
  const marks = rows.some((row) => row.marks !== undefined) ? JSON.stringify(rows.map((row) => row.marks)) : undefined
  const counts = [number, total, totalPages].join(betweenFields)
  const packed = {
    filters: others,
    ...rest,
    rows:
      isWritten && rows.length > 0 && filters.search === ''
        ? [counts, ...daysOf(rows)].join(betweenFields)
        : [counts, ...rows.map(packRow)].join(betweenRows),
    ...(marks === undefined ? {} : { marks }),
  }
  packedPages.set(packed, page)
  return packed
}

/** The days of rows, one for each that differs from the row before. */
function daysOf(rows: readonly ItemRow[]): string[] {
  return rows.map(({ day }) => day).filter((day, index) => day !== rows[index - 1]?.day)
}

/** @param readRows reads rows off the page, given their days */
export function unpackPage(
  { filters, rows: text, marks, ...rest }: PackedPage,
  readRows: (days: string[]) => ItemRow[],
): ListingPage {
  const [first = '', ...lines] = text.split(betweenRows)
  const [page, total, totalPages, ...days] = first.split(betweenFields)
  const rows = days.length > 0 ? readRows(days) : lines.map(unpackRow)
  if (marks !== undefined) withMarks(rows, JSON.parse(marks) as RowMarks[])
  return {
    filters: { ...filters, page: Number(page) },
    ...rest,
    total: Number(total),
    totalPages: Number(totalPages),
    rows,
  }
}

/** Sets the marks of rows, which stand in their order. */
export function withMarks(rows: readonly ItemRow[], marks: readonly RowMarks[]): void {
  for (const [index, row] of rows.entries()) row.marks = marks[index] ?? {}
}

export type DateFilter = 'today' | 'yesterday' | '7days'

/** The filters of a listing's toolbar, which are also in the page's address. A shelf offers some of them. */
export interface ListingFilters {
  search: string
  dateFilter: DateFilter | ''
  /** '01' to '12', or '' for all months. */
  month: string
  category: string
  /** '' for the best match first where there is a text, else the newest. */
  sort: '' | 'mostRecent' | 'oldest'
  /** '' for both. */
  region: Region | ''
  /** Values that an entry has whole; '' for any. */
  language: string
  format: string
  /** Its first year. */
  decade: string
  creator: string
  series: string
  tag: string
  /** A year, a month or a day, in place of a page: the one that holds its end; or ''. */
  at: string
  page: number
}

export interface ListingPage {
  filters: ListingFilters
  rows: ItemRow[]
  total: number
  totalPages: number
  /** Nearest names, at most 10, only when a text was given and nothing matched. */
  nearest: ItemRow[]
  /** Other texts that find something, with their counts; at most 3. */
  didYouMean?: { text: string; count: number }[]
  /** That of its oldest entry, of a list without a text: by the years since then one goes through time without a script. */
  firstYear?: number
}

export interface Download {
  host: HostLetter
  /** The field of the item that holds the link. */
  slot: LinkSlot
  state: LinkState
  /** The host's configured label; for a link on another host that link's host name. */
  label: string
  site: string
  /** The link, or the path of the gateway in its place. */
  url: string
  isGated: boolean
  /** The format of the file, such as EPUB, and its bytes, where the operator has said so. */
  format?: string | undefined
  size?: number | undefined
}

export interface MirrorsOnPage extends MirrorCount {
  /** Day of the check in the site's time zone, `YYYY-MM-DD`; null: there was none. */
  checkedDay: string | null
}

export interface ItemDetail extends Omit<ItemForReader, 'id' | 'createdAt' | 'updatedAt' | 'rights'> {
  /** Day of the post date in the site's time zone, `YYYY-MM-DD`. */
  day: string
  languages: readonly string[]
  downloads: Download[]
  /** The gateway before the downloads. */
  gateway: { provider: GatewayProvider; waitSeconds: number }
  mirrors: MirrorsOnPage
  rights: {
    /** For people: 'Public domain', 'Open licence', … */
    basis: string
    holder: string | null
    /** SPDX identifier or address, as recorded. */
    licence: string | null
    licenceUrl: string | null
  }
}

/** How many rows a page of a listing has (docs/spec/words.md#constants). */
export const rowsPerPage = 300
