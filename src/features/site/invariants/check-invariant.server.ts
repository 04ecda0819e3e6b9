import { sql } from 'kysely'
import type { SqlRunner } from '../../../db/queryable.ts'
import type { Invariant } from '../../office/contributions.ts'
import { features } from '../features.server.ts'

export function allInvariants(): readonly Invariant[] {
  return features.flatMap(({ invariants = [] }) => invariants)
}

/** Rows of one statement. */
const batchRows = 2_000
/** Recorded ids of broken rows: the first of them say what happened. */
const maxIds = 20

/** How far the check of one invariant has come, and what it has found. */
export interface InvariantProgress {
  /** The key of the last row that was looked at; null at the beginning. */
  after: string | null
  broken: number
  /** The first of them. */
  ids: string[]
}

export const unchecked: InvariantProgress = { after: null, broken: 0, ids: [] }

/** Looks at the next rows of the table. Each statement sees one moment, and locks nothing. */
export async function checkNextRows(
  db: SqlRunner,
  { over, findBroken, examine, rowsAtOnce }: Pick<Invariant, 'over' | 'findBroken' | 'examine' | 'rowsAtOnce'>,
  { after, broken, ids }: InvariantProgress,
  rows = rowsAtOnce ?? batchRows,
): Promise<{ progress: InvariantProgress; isDone: boolean }> {
  const { table } = over
  const key = sql.ref(over.key)
  const type = sql.raw(over.type)
  const begins = after === null ? sql`true` : sql`${key} > ${after}::${type}`
  const { rows: last } = await sql<{ key: string }>`
    select ${key}::text as key from ${table} where ${begins} order by ${key} offset ${rows - 1} limit 1`.execute(db)
  const until = last[0]?.key
  const ends = until === undefined ? sql`true` : sql`${key} <= ${until}::${type}`
  const batch = sql`(select * from ${table} where ${begins} and ${ends})`
  const { rows: found } = await sql<{ id: string; count: number }>`
    select id, (count(*) over ())::int as count from (${findBroken(batch)}) broken limit ${maxIds}`.execute(db)
  const known = new Set(ids.concat(found.map(({ id }) => id)))
  const more = ((await examine?.(db, batch)) ?? []).filter((id) => !known.has(id))
  return {
    progress: {
      after: until ?? after,
      broken: broken + (found[0]?.count ?? 0) + more.length,
      ids: [...ids, ...found.map(({ id }) => id), ...more].slice(0, maxIds),
    },
    isDone: until === undefined,
  }
}

/** Looks at all rows of the table, one part after the other. */
export async function checkInvariant(db: SqlRunner, invariant: Invariant): Promise<InvariantProgress> {
  for (let progress = unchecked; ;) {
    const step = await checkNextRows(db, invariant, progress)
    if (step.isDone) return step.progress
    progress = step.progress
  }
}

const maxNamed = 5

/** 'Published entries without a clearance: 3. They are published, and ... Their ids: 1, 2, 3.' */
export function brokenInWords(
  { headline, sentence }: Pick<Invariant, 'headline' | 'sentence'>,
  { broken, ids }: Pick<InvariantProgress, 'broken' | 'ids'>,
): string {
  const named = ids.slice(0, maxNamed).join(', ')
  const more = broken > maxNamed ? ` and ${(broken - maxNamed).toLocaleString('en-US')} more` : ''
  return `${headline}: ${broken.toLocaleString('en-US')}. ${sentence} Their ids: ${named}${more}.`
}
