import { AppError } from '../platform/errors.ts'
import { expect, test } from 'vitest'
import { type AccessPolicy, authorize, type Role } from './authorize.ts'
import type { Access, Method, ProofMinutes } from './route.ts'

interface Viewer {
  roles: Role[]
  provedAt?: number
  adminKey?: string
}

const policy: AccessPolicy<Viewer> = {
  rolesOf: ({ roles }) => roles,
  provedAt: ({ provedAt }) => provedAt,
  adminKeyOf: ({ adminKey }) => adminKey,
}
const noKeys = { clientKey: undefined, adminKey: undefined }
const now = Date.parse('2024-03-15T12:00:00Z')
const by = { policy, clientApiKey: 'site', now }

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
  const call = (): void => authorize({ access, method: 'GET' }, viewer, noKeys, by)
  if (code === undefined) expect(call).not.toThrow()
  else expect(call).toThrow(expect.objectContaining({ code, status: code === 'session.missing' ? 401 : 403 }))
})

test('a route that needs the client key takes no other, and asks for it before the session', () => {
  const route = { access: 'member', method: 'GET', needsClientKey: true } as const
  for (const clientKey of [undefined, '', 'other'])
    expect(() => authorize(route, nobody, { ...noKeys, clientKey }, by)).toThrow(
      expect.objectContaining({ code: 'client.key', status: 401, field: 'api-key' }),
    )
  expect(() => authorize(route, member, { ...noKeys, clientKey: 'site' }, by)).not.toThrow()
})

test("a route that needs the administrator's key takes theirs alone", () => {
  const route = { access: 'admin', method: 'GET', needsAdminKey: true } as const
  const owner = { ...admin, adminKey: 'theirs' }
  expect(() => authorize(route, owner, { ...noKeys, adminKey: 'theirs' }, by)).not.toThrow()
  for (const adminKey of [undefined, '', 'another'])
    expect(() => authorize(route, owner, { ...noKeys, adminKey }, by)).toThrow(
      expect.objectContaining({ code: 'admin.key', status: 401 }),
    )
  // No key that was never given opens anything.
  expect(() => authorize(route, admin, noKeys, by)).toThrow(expect.objectContaining({ code: 'admin.key' }))
})

test('a viewer who lacks one thing for an access is told which, and others are not', () => {
  const missing = () => new AppError({ code: 'factor.required', status: 403, message: 'Set it up first.' })
  const missingFor: AccessPolicy<Viewer>['missingFor'] = ({ roles }, access) =>
    access === 'admin' && roles.includes('vip') ? missing : undefined
  const call = (access: Access, viewer: Viewer) =>
    authorize({ access, method: 'GET' }, viewer, noKeys, { ...by, policy: { ...policy, missingFor } })
  expect(() => call('admin', vip)).toThrow(
    expect.objectContaining({ code: 'factor.required', status: 403, message: 'Set it up first.' }),
  )
  expect(() => call('admin', member)).toThrow(expect.objectContaining({ code: 'admin.only' }))
  expect(() => call('admin', nobody)).toThrow(expect.objectContaining({ code: 'session.missing' }))
  expect(() => call('vip', member)).toThrow(expect.objectContaining({ code: 'vip.only' }))
  expect(() => call('admin', admin)).not.toThrow()
})

const minutesAgo = (minutes: number): number => now - minutes * 60_000

test.each<[Access, Method, ProofMinutes | undefined, number | undefined]>([
  ['member', 'DELETE', 15, 15],
  ['member', 'GET', 15, 15],
  ['member', 'POST', 60, 60],
  ['admin', 'POST', undefined, 60],
  ['admin', 'PUT', undefined, 60],
  ['admin', 'DELETE', undefined, 60],
  ['admin', 'PUT', 15, 15],
  ['admin', 'GET', 60, 60],
  // Nothing is changed, or it is no administrator's.
  ['admin', 'GET', undefined, undefined],
  ['member', 'POST', undefined, undefined],
  ['vip', 'POST', undefined, undefined],
  ['anyone', 'POST', undefined, undefined],
])('%s %s that says %s needs a proof of the last %s minutes', (access, method, needsProofWithin, minutes) => {
  const route = { access, method, ...(needsProofWithin === undefined ? {} : { needsProofWithin }) }
  const call = (viewer: Viewer, policyOf = policy) => authorize(route, viewer, noKeys, { ...by, policy: policyOf })
  if (minutes === undefined) {
    expect(() => call(admin)).not.toThrow()
    return
  }
  const needed = expect.objectContaining({
    code: 'proof.needed',
    status: 403,
    details: { withinMinutes: minutes },
  }) as unknown as Error
  expect(() => call({ ...admin, provedAt: minutesAgo(minutes) + 1 })).not.toThrow()
  expect(() => call({ ...admin, provedAt: minutesAgo(minutes) })).toThrow(needed)
  expect(() => call(admin)).toThrow(needed)
  // Without a key everybody is refused.
  expect(() =>
    call({ ...admin, provedAt: now }, { rolesOf: policy.rolesOf.bind(policy), adminKeyOf: () => undefined }),
  ).toThrow(needed)
})

test('whoever may not call a route is told that, and asked for no proof', () => {
  const route = { access: 'admin', method: 'POST', needsAdminKey: true } as const
  const refusal = (viewer: Viewer) => {
    try {
      authorize(route, viewer, noKeys, by)
    } catch (error) {
      return (error as { code: string }).code
    }
    return undefined
  }
  expect([nobody, vip, { ...admin, adminKey: 'theirs' }].map(refusal)).toEqual([
    'session.missing',
    'admin.only',
    'admin.key',
  ])
})
