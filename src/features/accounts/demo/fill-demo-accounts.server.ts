import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { uuidv7 } from 'uuidv7'
import type { Insertable } from 'kysely'
import { makePrivateFolder } from '../../../platform/private-folder.ts'
import type { AccountsDatabase, AccountsApp } from '../app.ts'
import { recordAuditEvents } from '../../office/audit/record-audit-event.server.ts'
import type { Role, SignedInMember, Viewer } from '../../office/viewer/viewer.ts'
import { foldEmail } from '../user/email.ts'
import { demoMembers } from './demo-members.ts'

/** A login of the demo, as it is shown at the start. */
export interface DemoLogin {
  role: 'administrator' | 'VIP' | 'member'
  email: string
  /** Undefined when it was changed, or its file is gone. */
  password: string | undefined
}

/** Folded addresses. */
export const demoAdministrator = 'admin@demo.example'
export const demoVip = 'vip@demo.example'
export const demoMember = 'member@demo.example'
const accounts = [
  { role: 'administrator', email: demoAdministrator, name: 'Ada Admin', daysAgo: 362 },
  { role: 'VIP', email: demoVip, name: 'Vera Vip', daysAgo: 240 },
  { role: 'member', email: demoMember, name: 'Max Member', daysAgo: 45 },
] as const

/** The folded addresses of all of the demo's people. */
const addresses = [...accounts, ...demoMembers].map(({ email }) => email)

const dayMs = 86_400_000

/**
 * The demo's accounts, made once: three with passwords of their own, and members whose
 * passwords nobody knows. Those of the three lie in a file of the data directory that only its owner can read, so that each
 * start can show them again.
 */
export async function fillDemoAccounts(app: Pick<AccountsApp, 'config' | 'db' | 'clock' | 'passwords'>): Promise<void> {
  if ((await readDemoPeople(app)).size > 0) return
  const passwords = Object.fromEntries(accounts.map(({ email }) => [email, randomBytes(9).toString('base64url')]))
  // The passwords first: a start that is cut short in between makes new ones.
  await writePasswords(demoLoginsFile(app.config), passwords)
  await insertAccounts(app, passwords)
}

/** Whether there is an account that neither the demo nor `ADMIN_EMAIL` has made. */
export async function hasOtherAccounts({ db, config }: Pick<AccountsApp, 'db' | 'config'>): Promise<boolean> {
  const own = config.firstAdmin === undefined ? [] : [foldEmail(config.firstAdmin.email)]
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('email_folded', 'not in', [...own, ...addresses])
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

export async function hasDemoAdministrator({ db }: Pick<AccountsApp, 'db'>): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', demoAdministrator)
    .executeTakeFirst()
  return found !== undefined
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

/** The file with the passwords of the demo's accounts, readable by its owner alone. */
export function demoLoginsFile({ dataDir }: Pick<AccountsApp['config'], 'dataDir'>): string {
  return join(dataDir, 'demo-logins.json')
}

/** How many days ago the member of this place was last there: not before they joined. */
function lastSeenDays(joinedDaysAgo: number, place: number): number {
  return Math.min(joinedDaysAgo - 0.6, ((place * 29) % 47) + 0.2)
}

async function insertAccounts(
  app: Pick<AccountsApp, 'db' | 'clock' | 'passwords'>,
  passwords: Record<string, string>,
): Promise<void> {
  // One for all of them: a hash is meant to take its time.
  const unknown = await app.passwords.hash(randomBytes(32).toString('base64url'))
  const rows: Insertable<AccountsDatabase['users']>[] = []
  const people = [...accounts, ...demoMembers].toSorted((a, b) => b.daysAgo - a.daysAgo)
  for (const [i, { email, name, daysAgo }] of people.entries()) {
    const password = passwords[email]
    // At another time of the day each.
    const joinedAt = new Date(app.clock.now() - daysAgo * dayMs + ((i * 37) % 24) * 1_800_000)
    rows.push({
      id: uuidv7(),
      email,
      email_folded: email,
      name,
      password_hash: password === undefined ? unknown : await app.passwords.hash(password),
      password_changed_at: joinedAt,
      is_admin: email === demoAdministrator,
      email_confirmed_at: joinedAt,
      created_at: joinedAt,
      // The three with passwords have yet to come.
      ...(password === undefined ? { last_seen_at: new Date(app.clock.now() - lastSeenDays(daysAgo, i) * dayMs) } : {}),
    })
  }
  await app.db.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('users')
      .values(rows)
      .onConflict((conflict) => conflict.column('email_folded').doNothing())
      .returning(['id', 'is_admin', 'is_safety_officer'])
      .execute()
    const events = made.flatMap(({ id, is_admin: isAdmin, is_safety_officer: isOfficer }) => {
      const line = { by: 'system', subject: { kind: 'member', id } } as const
      return [
        ...(isAdmin ? [{ action: 'role.granted', ...line } as const] : []),
        ...(isOfficer ? [{ action: 'role.safety_officer_named', ...line } as const] : []),
      ]
    })
    await recordAuditEvents(trx, events)
  })
}

/**
 * The demo's administrator, for what the demo's past has them do.
 * @throws {Error} where the account is gone
 */
export async function demoAdministratorAsViewer({
  db,
  clock,
}: Pick<AccountsApp, 'db' | 'clock'>): Promise<Viewer & { member: SignedInMember }> {
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', demoAdministrator)
    .executeTakeFirstOrThrow()
  return {
    member: {
      id,
      email: demoAdministrator,
      sessionId: id,
      token: '',
      provedAt: clock.now(),
      isAdmin: true,
      isVipDisabled: false,
    },
    roles: new Set<Role>(['admin', 'safety-officer']),
    profile: {},
  }
}

/** The demo's people who are there, by their folded addresses. */
export async function readDemoPeople({
  db,
}: Pick<AccountsApp, 'db'>): Promise<Map<string, { id: string; name: string }>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'email_folded'])
    .where('email_folded', 'in', addresses)
    .execute()
  return new Map(rows.map(({ email_folded, ...person }) => [email_folded, person]))
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
