import type { Kysely, Transaction } from 'kysely'
import type { AccountsDatabase } from '../accounts/app.ts'
import type { MembershipTables } from '../../db/tables/membership.ts'
import type { AccountsApp } from '../accounts/app.ts'
import type { LegalTexts } from './account/legal-texts.server.ts'
import type { Checkouts } from './checkout/checkouts.server.ts'
import type { Payments } from './stripe/payments.server.ts'
import type { MembershipConfig } from './membership-config.server.ts'

export interface MembershipDatabase extends AccountsDatabase, MembershipTables {}

export type MembershipTransaction = Transaction<MembershipDatabase>

export interface MembershipApp extends AccountsApp {
  config: Readonly<MembershipConfig>
  db: Kysely<MembershipDatabase>
  maintenanceDb: Kysely<MembershipDatabase>
  payments: Payments
  checkouts: Checkouts
  legalTexts: LegalTexts
}
