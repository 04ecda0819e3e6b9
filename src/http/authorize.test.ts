import { expect, test } from 'vitest'
import { type AccessPolicy, authorize, type Role } from './authorize.ts'
import type { Access } from './route.ts'

interface Viewer {
  roles: Role[]
  isFresh?: boolean
  adminKey?: string
}

const policy: AccessPolicy<Viewer> = {
  rolesOf: ({ roles }) => roles,
  isSignInFresh: ({ isFresh }) => isFresh === true,
  adminKeyOf: ({ adminKey }) => adminKey,
}
const noKeys = { clientKey: undefined, adminKey: undefined }
const by = { policy, clientApiKey: 'site' }

const nobody: Viewer = { roles: [] }
const member: Viewer = { roles: ['member'] }
const vip: Viewer = { roles: ['member', 'vip'] }
const admin: Viewer = { roles: ['member', 'vip', 'admin'] }

test.each<[Access, Viewer, string | undefined]>([
  ['anyone', nobody, undefined],
  ['anyone', admin, undefined],
  ['member', nobody, 'session.missing'],
  ['member', member, undefined],
  ['vip', nobody, 'session.missing'],
  ['vip', member, 'vip.only'],
  ['vip', vip, undefined],
  ['vip', admin, undefined],
  ['admin', nobody, 'session.missing'],
  ['admin', vip, 'admin.only'],
  ['admin', admin, undefined],
])('%s, called by %j, is refused with %s', (access, viewer, code) => {
  const call = (): void => authorize({ access }, viewer, noKeys, by)
  if (code === undefined) expect(call).not.toThrow()
  else expect(call).toThrow(expect.objectContaining({ code, status: code === 'session.missing' ? 401 : 403 }))
})

test('a route that needs the client key takes no other, and asks for it before the session', () => {
  const route = { access: 'member', needsClientKey: true } as const
  for (const clientKey of [undefined, '', 'other'])
    expect(() => authorize(route, nobody, { ...noKeys, clientKey }, by)).toThrow(
      expect.objectContaining({ code: 'client.key', status: 401, field: 'api-key' }),
    )
  expect(() => authorize(route, member, { ...noKeys, clientKey: 'site' }, by)).not.toThrow()
})

test("a route that needs the administrator's key takes theirs alone", () => {
  const route = { access: 'admin', needsAdminKey: true } as const
  const owner = { ...admin, adminKey: 'theirs' }
  expect(() => authorize(route, owner, { ...noKeys, adminKey: 'theirs' }, by)).not.toThrow()
  for (const adminKey of [undefined, '', 'another'])
    expect(() => authorize(route, owner, { ...noKeys, adminKey }, by)).toThrow(
      expect.objectContaining({ code: 'admin.key', status: 401 }),
    )
  // No key that was never given opens anything.
  expect(() => authorize(route, admin, noKeys, by)).toThrow(expect.objectContaining({ code: 'admin.key' }))
})

test('a route that needs a fresh sign-in refuses an old one, and every one where nobody can tell', () => {
  const route = { access: 'member', needsFreshSignIn: true } as const
  expect(() => authorize(route, { ...member, isFresh: true }, noKeys, by)).not.toThrow()
  const stale = expect.objectContaining({ code: 'session.stale', status: 403 }) as unknown as Error
  expect(() => authorize(route, member, noKeys, by)).toThrow(stale)
  const unknowing = { ...by, policy: { rolesOf: policy.rolesOf.bind(policy) } }
  expect(() => authorize(route, { ...member, isFresh: true }, noKeys, unknowing)).toThrow(stale)
})
