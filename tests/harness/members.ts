import type { Page } from 'playwright'
import { uuidv7 } from 'uuidv7'
import { foldEmail } from '../../src/features/accounts/email.ts'
import type { App } from '../../src/platform/app.ts'
import type { Answer } from './ask.ts'
import type { TestServer } from './test-server.ts'

export interface MemberWish {
  name?: string
  email?: string
  password?: string
  isAdmin?: boolean
  /** A membership in force for a month from the clock's now; or its end, as ISO text. */
  isVip?: boolean
  vipExpiresAt?: string
  vipDisabled?: boolean
}

export interface MadeMember {
  id: string
  name: string
  email: string
  password: string
}

const monthMs = 30 * 86_400_000

/** A member who has registered some time ago; no letter is sent. */
export async function aMember(app: App, wish: MemberWish = {}): Promise<MadeMember> {
  const id = uuidv7()
  const made = {
    id,
    name: wish.name ?? 'Jane Reader',
    email: wish.email ?? `reader-${id}@readers.example`,
    password: wish.password ?? 'a quiet reading room',
  }
  const now = app.clock.now()
  const byDefault = wish.isVip === true ? new Date(now + monthMs) : null
  await app.db
    .insertInto('users')
    .values({
      id,
      name: made.name,
      email: made.email,
      email_folded: foldEmail(made.email),
      password_hash: await app.passwords.hash(made.password),
      password_changed_at: new Date(now),
      is_admin: wish.isAdmin ?? false,
      vip_expires_at: wish.vipExpiresAt === undefined ? byDefault : new Date(wish.vipExpiresAt),
      vip_disabled: wish.vipDisabled ?? false,
      created_at: new Date(now),
    })
    .execute()
  return made
}

/** Signs in over HTTP; a test fails that counts on it when it does not succeed. */
export async function signIn(
  server: Pick<TestServer, 'ask'>,
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

/** Leaves a session in this browser, as signing in with 'Remember me' does; every page opened from now on finds it. */
export async function remember(page: Page, server: Pick<TestServer, 'ask'>, member: MadeMember): Promise<string> {
  const Token = await signIn(server, member, { isRemembered: true })
  await page.goto('/favicon.svg')
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
  server: Pick<TestServer, 'ask'>,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return server.ask(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
}
