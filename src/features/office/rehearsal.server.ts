import type { Transaction } from 'kysely'
import { defineError } from '../../platform/errors.ts'
import type { OfficeTables } from '../../db/tables/office.ts'
import type { Queryable } from '../../db/queryable.ts'
import { recordAuditEvent } from './audit/record-audit-event.server.ts'
import type { OfficeConfig } from './office-config.server.ts'

/**
 * Whether this site is a copy that speaks to nobody (docs/spec/backups.md#rehearsal): by the setting, or by a row of its
 * database, which the catalogue's change feed tells every instance to read.
 */
export class Rehearsal {
  readonly #isSet: boolean
  #isSaved = false

  constructor({ rehearsal }: Pick<OfficeConfig, 'rehearsal'>) {
    this.#isSet = rehearsal
  }

  get isOn(): boolean {
    return this.#isSet || this.#isSaved
  }

  async readSaved(db: Queryable<OfficeTables>): Promise<boolean> {
    return (await db.selectFrom('rehearsal').select('began_at').executeTakeFirst()) !== undefined
  }

  /** Puts what the database says in force. */
  use(isSaved: boolean): void {
    this.#isSaved = isSaved
  }
}

export const rehearsalOn = defineError({
  code: 'rehearsal.on',
  status: 503,
  sentence: 'This is a rehearsal: a copy of the site, which takes no payment.',
  remedy: 'Pay on the site itself. The operator of this copy ends its rehearsal with the command rehearsal end.',
  isCounted: true,
})

/** @returns whether it was none before */
export async function beginRehearsal(trx: Transaction<OfficeTables>): Promise<boolean> {
  const begun = await trx
    .insertInto('rehearsal')
    .defaultValues()
    .onConflict((conflict) => conflict.doNothing())
    .returning('began_at')
    .executeTakeFirst()
  if (begun === undefined) return false
  await recordAuditEvent(trx, { action: 'rehearsal.began', by: 'operator' })
  return true
}

/** @returns whether it was one before */
export async function endRehearsal(trx: Transaction<OfficeTables>): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('rehearsal').executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await recordAuditEvent(trx, { action: 'rehearsal.ended', by: 'operator' })
  return true
}
