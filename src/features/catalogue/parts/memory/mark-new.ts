export interface ShownRow {
  slug: string
  /** `YYYY-MM-DD`. */
  day: string
}

export interface NewRows {
  isNew: boolean[]
  /** The row before which the divider stands; undefined for none. */
  divider: number | undefined
}

/**
 * Which rows of a list in the order of time are new to the reader, and where those of earlier visits begin or end
 * (docs/spec/readers-memory.md#divider).
 * @param day on which the last visit ended: of that day a guest has seen nothing for certain
 * @param fresh the slugs of what is new, where they are known
 */
export function newRows(
  rows: readonly ShownRow[],
  { day, fresh }: { day: string; fresh: ReadonlySet<string> | undefined },
  isOldestFirst: boolean,
): NewRows {
  const isNew = rows.map((row) => (fresh === undefined ? row.day >= day : row.day > day || fresh.has(row.slug)))
  // An entry that came with an old date is new where it stands, and moves no divider.
  const isOfBefore = rows.map((row, index) => row.day < day || isNew[index] !== true)
  const divider = isOldestFirst ? isOfBefore.lastIndexOf(true) + 1 : isOfBefore.indexOf(true)
  return { isNew, divider: divider <= 0 || divider >= rows.length ? undefined : divider }
}
