import { sql } from 'kysely'
import type { SqlRunner } from './queryable.ts'

/** The work that one transaction or process does at a time, by the numbers of its locks in PostgreSQL. */
const numbers = {
  'job-queues': 7_064_119,
  'inquiry-emails': 7_064_120,
  'search-misses': 7_064_121,
  'grave-acts': 7_064_122,
  rights: 7_064_129,
  'notice-emails': 7_064_130,
  demo: 7_064_131,
  restore: 7_064_132,
} as const

export type LockName = keyof typeof numbers

/** Waits for the lock. It is given back at the end of the transaction. */
export async function lockInTransaction(trx: SqlRunner, name: LockName): Promise<void> {
  await sql`select pg_advisory_xact_lock(${numbers[name]})`.execute(trx)
}

/** Waits for the lock, and holds it during the work, which may have transactions of its own on other connections. */
export async function withLock<T>(connection: SqlRunner, name: LockName, work: () => Promise<T>): Promise<T> {
  await sql`select pg_advisory_lock(${numbers[name]})`.execute(connection)
  try {
    return await work()
  } finally {
    await sql`select pg_advisory_unlock(${numbers[name]})`.execute(connection)
  }
}
