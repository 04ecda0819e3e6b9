import { sql } from 'kysely'
import type { SqlRunner } from '../../../db/queryable.ts'
import { counted } from '../../../platform/counted.ts'
import {
  type DoctorChecks,
  type ExaminedDatabase,
  type Finding,
  good,
  problem,
  warning,
} from '../../../platform/doctor/doctor-check.ts'
import type { AccountsConfig } from '../accounts-config.server.ts'
import type { AccountsApp } from '../app.ts'
import { listAdministrators } from './list-administrators.server.ts'

export const administratorChecks: DoctorChecks<AccountsConfig, AccountsApp['db']> = {
  waitingDatabase: [{ about: 'Administrators', examine: examineNumber }],
  database: [
    { about: 'Administrators', examine: examineNumber },
    { about: 'Second factor', examine: examineSecondFactors },
  ],
}

async function* examineNumber({ config, db }: { config: AccountsConfig; db?: SqlRunner }): AsyncGenerator<Finding> {
  const { firstAdmin, hasDemoAccounts } = config
  const command = 'npm run daybook -- admin create EMAIL'
  const count = db === undefined ? undefined : await countAdministrators(db)
  if (count !== undefined && count > 0) yield good(count === 1 ? 'there is one.' : `there are ${count}.`)
  else if (firstAdmin !== undefined) yield good(`the next start makes ${firstAdmin.email} the first one.`)
  else if (count !== undefined) yield problem('there is none.', command)
  else if (hasDemoAccounts) yield good('the first start makes that of the demo.')
  else {
    yield warning(
      'nobody will administer the new database.',
      `Set ADMIN_EMAIL and ADMIN_PASSWORD, or create one: ${command}`,
    )
  }
}

/** Also in a database that waits for migrations. @returns undefined where there are no accounts yet */
async function countAdministrators(db: SqlRunner): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from users where is_admin`
    .execute(db)
    .catch((error: unknown) => {
      if ((error as { code?: unknown }).code === '42P01') return { rows: [] }
      throw error
    })
  return rows[0]?.count
}

async function* examineSecondFactors({
  config,
  db,
}: ExaminedDatabase<AccountsConfig, AccountsApp['db']>): AsyncGenerator<Finding> {
  const administrators = await listAdministrators({ db })
  const without = administrators.filter((each) => !each.has_second_factor).length
  if (config.requiresAdminSecondFactor && without > 0) {
    yield warning(
      `${without} of ${counted(administrators.length, 'administrator')} can do nothing but set one up.`,
      'Have them sign in, and add a passkey or an authenticator app on the page Security and data of their account.',
    )
  } else if (config.isPublic && !config.requiresAdminSecondFactor) {
    yield warning(
      'administrators need none: whoever learns the password of one administers the site.',
      'Unset REQUIRE_ADMIN_SECOND_FACTOR, once each has set one up on the page Security and data of their account.',
    )
  }
}
