import type { ColumnFaults } from './import-schema.ts'

/* The faults in the header of a file, with the probable columns. Browser-safe. */

/** How many unknown columns are compared with the known ones; nobody mends a header with more by suggestions. */
const mostCompared = 20

/** Within the bounds of a header (`refuseLargeHeader`). */
export function checkColumns(
  columns: readonly string[],
  {
    known,
    required,
    passedOver,
  }: { known: readonly string[]; required: readonly string[]; passedOver: ReadonlySet<string> },
): ColumnFaults {
  const given = new Set(columns)
  const unknown = columns.filter((column) => !known.includes(column) && !passedOver.has(column))
  const free = known.filter((column) => !given.has(column))
  const meant = (name: string, i: number): string | null => (i < mostCompared ? (mostAlike(name, free) ?? null) : null)
  return {
    unknown: unknown.map((name, i) => ({ name, meant: meant(name, i) })),
    missing: required.filter((column) => !given.has(column)),
    repeated: repeatedIn(columns),
  }
}

/** The names that stand more than once, each once. */
export function repeatedIn(columns: readonly string[]): string[] {
  const seen = new Set<string>()
  return [...new Set(columns.filter((column) => seen.size === seen.add(column).size))]
}

const usual: Readonly<Record<string, string>> = {
  title: 'name',
  type: 'contentType',
  url: 'link',
  address: 'link',
  date: 'postDate',
  license: 'licence',
  holder: 'rightsHolder',
  rights: 'rightsBasis',
  id: 'externalId',
}

function mostAlike(name: string, columns: readonly string[]): string | undefined {
  const plain = plainly(name)
  const byMeaning = columns.find((column) => column === usual[plain])
  if (byMeaning !== undefined) return byMeaning
  const [best] = columns
    .map((column) => ({ column, changes: changesBetween(plain, plainly(column)) }))
    .toSorted((a, b) => a.changes - b.changes)
  return best !== undefined && best.changes <= Math.max(1, best.column.length / 4) ? best.column : undefined
}

/** Without case, spaces, hyphens and underscores. */
function plainly(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}

/** How many letters are to be changed, added, left out or swapped with the next to make one word the other. */
function changesBetween(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
