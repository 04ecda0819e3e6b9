import type { Transaction } from 'kysely'
import type { SqlRunner } from '../../db/queryable.ts'
import type { OfficeTables } from '../../db/tables/office.ts'
import type { AuditActor } from './audit/audit-event.ts'

/** An address that people write to, before and after somebody changed it; its label is that of the text. */
export interface ChangedAddress {
  label: string
  before: string
  after: string
}

/** The accounts, as the office needs them. Accounts stands on the right and implements it. */
export interface People {
  /** The id of the account with an address, however that is written; else those whose name or address has the text in it, twenty at most. */
  findIds(db: SqlRunner, text: string): Promise<string[]>
  /** The names of the accounts among these ids. */
  readNames(db: SqlRunner, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * The accounts behind keys of counted events; none for an address that nobody has.
   * @param keys ids of accounts and of known devices, and folded addresses
   */
  findBehind(db: SqlRunner, keys: readonly string[]): Promise<ReadonlyMap<string, { id: string; isAdmin: boolean }>>
  /**
   * Whether a member has the role of an administrator in force, and keeps it until the transaction ends: a change of the role or
   * the second factor waits for it.
   */
  isAdministrator(trx: Transaction<OfficeTables>, memberId: string): Promise<boolean>
  listAdministrators(db: SqlRunner): Promise<{ userId: string; email: string; name: string }[]>
  /** Notifies the administrators, and the old address, of an address that was changed. */
  notifyOfAddress(trx: Transaction<OfficeTables>, changed: { by: AuditActor; address: ChangedAddress }): Promise<void>
}
