import { sql } from 'kysely'
import type { App } from '../../src/app/app.ts'

/** Writes past all triggers and foreign keys, as somebody at a console can; check constraints stand. */
export async function writePastRules({ db }: Pick<App, 'db'>, ...statements: string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    for (const statement of statements) await sql.raw(statement).execute(trx)
  })
}
