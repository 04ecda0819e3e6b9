import type { Kysely } from 'kysely'
import { createAudit } from './0001-accounts/audit.ts'
import { createUsers } from './0001-accounts/users.ts'
import { createEmails } from './0001-accounts/emails.ts'
import { createFactors } from './0001-accounts/factors.ts'
import { createOffice } from './0001-accounts/office.ts'

/** Accounts (docs/spec/accounts.md), the audit log, and the tables that every administrator works with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAudit(db)
  await createUsers(db)
  await createFactors(db)
  await createOffice(db)
  await createEmails(db)
}
