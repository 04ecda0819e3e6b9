import { ItemChange } from './change-log.ts'
import type { ListedItem } from './item-columns.ts'
import type { ChangedRow, FeedEntry } from './read-listing.server.ts'

/** The report of the change feed: the items touched, and the rows of those that are published. */
interface ReportedChanges {
  touched: readonly number[]
  rows: readonly ChangedRow[]
  changes: readonly FeedEntry[]
}

/** The listing before the changes, and the present instant. */
interface Before {
  listed: (no: number) => ListedItem | undefined
  nameOf: (no: number) => string | undefined
  /** When the rights of each item touched end, where they do. */
  lapseOf: ReadonlyMap<number, number>
  now: number
}

/** How each item touched was listed, and how it will be. */
export function compareItems(
  { touched, rows, changes }: ReportedChanges,
  { listed, nameOf, lapseOf, now }: Before,
): ItemChange[] {
  const rowOf = new Map(rows.map((row) => [row.no, row]))
  const entriesOf = Map.groupBy(changes, ({ item_no }) => item_no)
  return touched.map((no) => {
    const row = rowOf.get(no)
    const before = listed(no)
    const after = row && { no, postedAt: row.postedAt, createdAt: row.createdAt, facets: row.facets }
    const names = [nameOf(no), row?.searched].filter((name) => name !== undefined)
    const isSameEnd = lapseOf.get(no) === (row?.lapsesAt ?? undefined)
    return new ItemChange({
      no,
      before,
      after,
      isTimed:
        !isSameEnd || (!isSamePlace(before, after) && Math.max(before?.postedAt ?? 0, after?.postedAt ?? 0) > now),
      isOfLinksOnly: (entriesOf.get(no) ?? []).every(({ links_only }) => links_only),
      names: [...new Set(names)],
    })
  })
}

/** Whether nothing that order or filters look at is another. */
export function isSamePlace(before: ListedItem | undefined, after: ListedItem | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  return before.postedAt === after.postedAt && before.createdAt === after.createdAt && before.facets === after.facets
}
