import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { uuidv7 } from 'uuidv7'
import type { Insertable } from 'kysely'
import type { AccountsTables } from '../../../db/tables/accounts.ts'
import { makePrivateFolder } from '../../../platform/private-folder.ts'
import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../audit/record-audit-event.server.ts'

/** A login of the demo, as it is shown at the start. */
export interface DemoLogin {
  role: 'administrator' | 'VIP' | 'member'
  email: string
  /** Undefined when it was changed, or its file is gone. */
  password: string | undefined
}

/** Folded addresses. */
export const demoAdministrator = 'admin@demo.example'
const accounts = [
  { role: 'administrator', email: demoAdministrator, name: 'Ada Admin', isAdmin: true },
  { role: 'VIP', email: 'vip@demo.example', name: 'Vera Vip', isAdmin: false },
  { role: 'member', email: 'member@demo.example', name: 'Max Member', isAdmin: false },
] as const

/**
 * The demo's accounts, made in a database where nobody has one yet, with passwords of their own. They lie in a file of
 * the data directory that only its owner can read, so that each start can show them again. Does nothing but in demo
 * mode; an account that was deleted stays deleted.
 * @returns the logins that there are
 */
export async function fillDemoAccounts(
  app: Pick<AccountsApp, 'config' | 'db' | 'clock' | 'passwords'>,
): Promise<DemoLogin[]> {
  if (!app.config.hasDemoAccounts) return []
  const file = demoLoginsFile(app.config)
  const anybody = await app.db.selectFrom('users').select('id').limit(1).execute()
  if (anybody.length === 0) {
    const passwords = Object.fromEntries(accounts.map(({ email }) => [email, randomBytes(9).toString('base64url')]))
    // The passwords first: a start that is cut short in between makes new ones.
    await writePasswords(file, passwords)
    await insertAccounts(app, passwords)
  }
  return readDemoLogins(app)
}

/** The logins of the demo that there are, whether or not this start would make them. */
export async function readDemoLogins(app: Pick<AccountsApp, 'config' | 'db' | 'passwords'>): Promise<DemoLogin[]> {
  const passwords = await readPasswords(demoLoginsFile(app.config))
  const users = await app.db
    .selectFrom('users')
    .select(['email_folded', 'password_hash'])
    .where(
      'email_folded',
      'in',
      accounts.map(({ email }) => email),
    )
    .execute()
  const logins: DemoLogin[] = []
  for (const { role, email } of accounts) {
    const user = users.find((one) => one.email_folded === email)
    if (user === undefined) continue
    const known = passwords[email]
    const isCurrent = known !== undefined && (await app.passwords.matches(known, user.password_hash))
    logins.push({ role, email, password: isCurrent ? known : undefined })
  }
  return logins
}

/** Where the passwords of the demo's accounts lie, for its owner alone. */
export function demoLoginsFile({ dataDir }: Pick<AccountsApp['config'], 'dataDir'>): string {
  return join(dataDir, 'demo-logins.json')
}

async function insertAccounts(
  app: Pick<AccountsApp, 'db' | 'clock' | 'passwords'>,
  passwords: Record<string, string>,
): Promise<void> {
  const now = app.clock.now()
  const rows: Insertable<AccountsTables['users']>[] = []
  for (const { email, name, isAdmin } of accounts) {
    rows.push({
      id: uuidv7(),
      email,
      email_folded: email,
      name,
      password_hash: await app.passwords.hash(passwords[email] as string),
      password_changed_at: new Date(now),
      is_admin: isAdmin,
      email_confirmed_at: new Date(now),
      created_at: new Date(now),
    })
  }
  await app.db.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('users')
      .values(rows)
      .onConflict((conflict) => conflict.column('email_folded').doNothing())
      .returning(['id', 'is_admin', 'is_safety_officer'])
      .execute()
    for (const { id, is_admin: isAdmin, is_safety_officer: isOfficer } of made) {
      const subject = { kind: 'member', id } as const
      await recordAuditEvent(trx, { action: 'account.created', by: 'system', subject })
      if (isAdmin) await recordAuditEvent(trx, { action: 'role.granted', by: 'system', subject })
      if (isOfficer) await recordAuditEvent(trx, { action: 'role.safety_officer_named', by: 'system', subject })
    }
  })
}

async function readPasswords(file: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Error(
      `The file ${file} cannot be read. Delete it to start without it: the demo logins are then no longer shown.`,
      { cause: error },
    )
  }
}

async function writePasswords(file: string, passwords: Record<string, string>): Promise<void> {
  // With PostgreSQL nothing else has made the data directory.
  await makePrivateFolder(dirname(file))
  const fresh = `${file}.new`
  await writeFile(fresh, `${JSON.stringify(passwords, undefined, 2)}\n`, { mode: 0o600 })
  await rename(fresh, file)
}
