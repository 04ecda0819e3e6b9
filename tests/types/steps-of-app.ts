/*
 * The type law. `npm run check` compiles this file and nothing runs it: each line below an `@ts-expect-error` must not
 * compile, and the compiler fails where one does.
 */
import type { Transaction } from 'kysely'
import type { App } from '../../src/app/app.ts'
import type { Database } from '../../src/db/database.ts'
import type { Queryable } from '../../src/db/queryable.ts'
import type { AccountsTables } from '../../src/db/tables/accounts.ts'
import type { AccountsApp } from '../../src/features/accounts/app.ts'
import type { CatalogueApp } from '../../src/features/catalogue/app.ts'
import type { MembershipApp, MembershipDatabase } from '../../src/features/membership/app.ts'
import type { OfficeApp } from '../../src/features/office/app.ts'
import type { HttpApp } from '../../src/http/http-app.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { defineJob } from '../../src/platform/jobs/job.ts'

export async function thePlatform(app: Platform): Promise<void> {
  // @ts-expect-error It knows no table.
  await app.db.selectFrom('users').select('id').execute()
  // @ts-expect-error It knows no HTTP.
  void app.answers
  // @ts-expect-error It knows no feature.
  void app.passwords
}

export async function http(app: HttpApp): Promise<void> {
  void app.answers
  // @ts-expect-error It knows no table.
  await app.db.selectFrom('users').select('id').execute()
  // @ts-expect-error It knows no feature.
  void app.listing
}

export async function office(app: OfficeApp): Promise<void> {
  await app.db.selectFrom('audit_events').select('action').execute()
  // @ts-expect-error The office asks `people` of accounts.
  await app.db.selectFrom('users').select('name').execute()
}

export async function accounts(app: AccountsApp): Promise<void> {
  await app.db.selectFrom('users').select('name').execute()
  // @ts-expect-error Accounts cannot call Stripe.
  await app.payments.request((stripe) => stripe.customers.list())
  // @ts-expect-error Accounts cannot delete access.
  await app.db.deleteFrom('access_grants').execute()
  // @ts-expect-error The database for long work has the same tables.
  await app.maintenanceDb.selectFrom('access_grants').select('id').execute()
  // @ts-expect-error A join names no table of the right either.
  await app.db.selectFrom('users').innerJoin('payments', 'payments.user_id', 'users.id').select('users.id').execute()
  await app.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('sessions').execute()
    // @ts-expect-error A transaction has the tables of its database.
    await trx.deleteFrom('access_grants').execute()
  })
  // @ts-expect-error A step cannot be used where a larger one is needed.
  await membership(app)
}

export async function membership(app: MembershipApp): Promise<void> {
  await app.payments.request((stripe) => stripe.customers.list())
  await app.db.deleteFrom('access_grants').execute()
  // Reading on the left is allowed; writing there is not, which `tests/table-law.test.ts` holds.
  await app.db.selectFrom('users').innerJoin('payments', 'payments.user_id', 'users.id').select('name').execute()
  // @ts-expect-error Membership cannot read items.
  await app.db.selectFrom('items').select('name').execute()
  const payments = app.db.selectFrom('payments')
  // @ts-expect-error Nor in a part of a query.
  await payments.where(({ exists, selectFrom }) => exists(selectFrom('items'))).execute()
  // @ts-expect-error Nor what the catalogue keeps in memory.
  void app.listing
  await accounts(app)
}

export async function catalogue(app: CatalogueApp): Promise<void> {
  await app.db.selectFrom('items').select('name').execute()
  // @ts-expect-error A table that nobody owns.
  await app.db.selectFrom('wishes').selectAll().execute()
  // @ts-expect-error A column that its table does not have.
  await app.db.selectFrom('users').select('full_name').execute()
  await membership(app)
}

/** The whole object goes wherever a step of it is asked for, and so do its database and its transactions. */
export async function theWhole(app: App, users: (db: Queryable<AccountsTables>) => void): Promise<void> {
  const changeUser = (_trx: Transaction<AccountsTables>): void => {}
  const changeMember = (_trx: Transaction<MembershipDatabase>): void => {}
  await thePlatform(app)
  await http(app)
  await catalogue(app)
  users(app.db)
  await app.db.transaction().execute(async (trx: Transaction<Database>) => {
    users(trx)
    changeUser(trx)
    changeMember(trx)
    await app.jobs.add(trx, defineJob('any'), {})
  })
}
