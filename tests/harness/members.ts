import type { Page } from 'playwright'
import { uuidv7 } from 'uuidv7'
import { foldEmail } from '../../src/features/accounts/user/email.ts'
import type { App } from '../../src/app/app.ts'
import type { Role, SignedInMember, Viewer } from '../../src/features/office/viewer/viewer.ts'
import type { TestResponse } from './request.ts'
import type { TestServer } from './test-server.ts'

export interface MemberOverrides {
  name?: string
  email?: string
  password?: string
  isAdmin?: boolean
  /** A membership in force for a month from the clock's now; or its end, as ISO text. */
  isVip?: boolean
  vipExpiresAt?: string
  vipDisabled?: boolean
  /** Whether they have not confirmed their address yet. */
  isUnconfirmed?: boolean
}

export interface MadeMember {
  id: string
  name: string
  email: string
  password: string
}

const monthMs = 30 * 86_400_000

/** A member who has registered some time ago; no email is sent. */
export async function aMember(app: App, overrides: MemberOverrides = {}): Promise<MadeMember> {
  const id = uuidv7()
  const made = {
    id,
    name: overrides.name ?? 'Jane Reader',
    email: overrides.email ?? `reader-${id}@readers.example`,
    password: overrides.password ?? 'a quiet reading room',
  }
  const now = app.clock.now()
  await app.db
    .insertInto('users')
    .values({
      id,
      name: made.name,
      email: made.email,
      email_folded: foldEmail(made.email),
      password_hash: await app.passwords.hash(made.password),
      password_changed_at: new Date(now),
      is_admin: overrides.isAdmin ?? false,
      vip_disabled: overrides.vipDisabled ?? false,
      email_confirmed_at: overrides.isUnconfirmed === true ? null : new Date(now),
      created_at: new Date(now),
    })
    .execute()
  if (overrides.vipExpiresAt !== undefined) await aGrant(app, id, overrides.vipExpiresAt)
  else if (overrides.isVip === true) await aGrant(app, id, new Date(now + monthMs).toISOString())
  return made
}

/** Access given by hand, from long ago to this instant. */
export async function aGrant(app: Pick<App, 'db' | 'clock'>, userId: string, endsAt: string): Promise<void> {
  await app.db
    .insertInto('access_grants')
    .values({
      id: uuidv7(),
      user_id: userId,
      source: 'manual',
      basis: 'manual',
      renews: false,
      starts_at: new Date(Date.parse(endsAt) - 10 * 365 * 86_400_000),
      ends_at: endsAt,
      effective_until: endsAt,
      granted_by: 'a test',
      created_at: new Date(app.clock.now()),
    })
    .execute()
}

/** Signs in over HTTP; a test fails that counts on it when it does not succeed. */
export async function signIn(
  server: Pick<TestServer, 'request'>,
  member: Pick<MadeMember, 'email' | 'password'>,
  { isRemembered = false }: { isRemembered?: boolean } = {},
): Promise<string> {
  const answer = await post(server, '/auth/login', {
    email: member.email,
    password: member.password,
    remember: isRemembered,
  })
  if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}: ${answer.text}`)
  return (answer.json() as { token: string }).token
}

export interface SignedIn extends MadeMember {
  headers: { authorization: string }
}

/** A member who has signed in, with the header of their requests. */
export async function aSignedInMember(
  server: Pick<TestServer, 'app' | 'request'>,
  overrides: MemberOverrides = {},
): Promise<SignedIn> {
  const made = await aMember(server.app, overrides)
  return { ...made, headers: bearer(await signIn(server, made)) }
}

/** Signed in, with an address of the library by their first name. The first of a site is its safety officer. */
export function anAdministrator(server: Pick<TestServer, 'app' | 'request'>, name: string): Promise<SignedIn> {
  const [first = ''] = name.toLowerCase().split(' ')
  return aSignedInMember(server, { name, email: `${first}@library.example`, isAdmin: true })
}

/** The caller as use cases see them. */
export function viewerOf(
  { id, email = '' }: { id: string; email?: string },
  ...roles: Role[]
): Viewer & { member: SignedInMember } {
  const isAdmin = roles.includes('admin')
  const member = { id, email, sessionId: '', token: '', provedAt: 0, isAdmin, isVipDisabled: false }
  return { member, roles: new Set(roles), profile: {} }
}

/**
 * Moves the clock on, and has everybody who is signed in sign in once more: an administrator's session ends after half an
 * hour without use.
 */
export async function passTime({ app, clock }: Pick<TestServer, 'app' | 'clock'>, ms: number): Promise<void> {
  clock.advance(ms)
  const now = new Date(clock.now())
  await app.db
    .updateTable('sessions')
    .set({
      created_at: now,
      last_seen_at: now,
      proved_at: now,
      expires_at: new Date(clock.now() + monthMs),
    })
    .execute()
}

/** Has the last proof of a member's sessions lie so far back (docs/spec/accounts.md#proof). */
export async function ageProof(app: Pick<App, 'db' | 'clock'>, { id }: { id: string }, minutes: number): Promise<void> {
  await app.db
    .updateTable('sessions')
    .set({ proved_at: new Date(app.clock.now() - minutes * 60_000) })
    .where('user_id', '=', id)
    .execute()
}

/** Leaves a session in this browser, as signing in with 'Remember me' does; every page opened from now on finds it. */
export async function remember(page: Page, server: Pick<TestServer, 'request'>, member: MadeMember): Promise<string> {
  const Token = await signIn(server, member, { isRemembered: true })
  if (!page.url().endsWith('/favicon.svg')) await page.goto('/favicon.svg')
  await page.evaluate((session) => Object.assign(localStorage, session), {
    Token,
    name: member.name,
    email: member.email,
  })
  return Token
}

/** The header of a request with this token. */
export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/** A POST of JSON, as the pages send it. */
export function post(
  server: Pick<TestServer, 'request'>,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return server.request(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
}
