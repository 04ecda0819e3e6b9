import { type KyselyPlugin, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { aMember } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { features } from '../../site/features.server.ts'
import { signIn } from '../sign-in/sign-in.server.ts'
import { canAccess } from '../../office/viewer/can-access.ts'
import { anonymous, hasRole } from '../../office/viewer/viewer.ts'
import { recogniseViewer } from './recognise-viewer.server.ts'
import { viewMember } from './view-member.server.ts'

const site = appOfFile()

beforeAll(async () => {
  // The first administrator is the safety officer.
  await aMember(site.app, { isAdmin: true })
})

const sources = features.flatMap(({ roles = [] }) => roles)

/** The viewer behind a session, and how many queries it took to know. */
async function recognised(authorization: string | undefined) {
  let queries = 0
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      queries += 1
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const app = { ...site.app, db: site.app.db.withPlugin(counter) }
  return { viewer: await recogniseViewer(app, authorization, sources), queries }
}

async function bearerOf(overrides: Parameters<typeof aMember>[1]): Promise<string> {
  const { email, password } = await aMember(site.app, overrides)
  const address = '192.0.2.1'
  const { token } = await signIn(site.app, { email, password, isRemembered: false, address, userAgent: '' })
  return `Bearer ${token}`
}

test('an anonymous caller has no role and costs no query', async () => {
  expect(await recognised(undefined)).toEqual({ viewer: anonymous, queries: 0 })
})

test.each([
  [{}, [], { vip: false, admin: false }],
  [{ isVip: true }, ['vip'], { vip: true, admin: false }],
  [{ isVip: true, vipDisabled: true }, [], { vip: false, admin: false }],
  [{ isAdmin: true }, ['admin'], { vip: true, admin: true }],
  [{ isAdmin: true, isVip: true }, ['admin', 'vip'], { vip: true, admin: true }],
] as const)(
  'a member has the roles that accounts and membership give, for one query: %o',
  async (overrides, roles, enters) => {
    const { viewer, queries } = await recognised(await bearerOf(overrides))
    expect([...viewer.roles]).toEqual(roles)
    expect(queries).toBe(1)
    expect({ vip: canAccess('vip', viewer), admin: canAccess('admin', viewer) }).toEqual(enters)
    // The role itself says that a membership is in force, which an administrator need not have.
    expect(hasRole(viewer, 'vip')).toBe((roles as readonly string[]).includes('vip'))
    // An administrator who acts for them acts with the same roles.
    const { member, ...rest } = await viewMember(site.app, { id: viewer.member?.id ?? '' }, sources)
    expect({ id: member?.id, ...rest }).toEqual({ id: viewer.member?.id, roles: viewer.roles, profile: viewer.profile })
  },
)

test('a safety officer has the role where that of an administrator is in force', async () => {
  const { app } = site
  const { id, email, password } = await aMember(app, { isAdmin: true })
  await app.db.updateTable('users').set({ is_safety_officer: true }).where('id', '=', id).execute()
  const { token } = await signIn(app, { email, password, isRemembered: false, address: '192.0.2.1', userAgent: '' })
  const rolesWith = async (requiresAdminSecondFactor: boolean) => {
    const config = { ...app.config, requiresAdminSecondFactor }
    return [...(await recogniseViewer({ ...app, config }, `Bearer ${token}`, sources)).roles]
  }
  expect(await rolesWith(false)).toEqual(['admin', 'safety-officer'])
  expect(await rolesWith(true)).toEqual([])
  await app.db.updateTable('users').set({ has_second_factor: true }).where('id', '=', id).execute()
  expect(await rolesWith(true)).toEqual(['admin', 'safety-officer'])
})

test('an administrator who acts for one without the second factor acts without their role', async () => {
  const { app } = site
  const config = { ...app.config, requiresAdminSecondFactor: true }
  const { id } = await aMember(app, { isAdmin: true })
  const rolesOf = async () => [...(await viewMember({ ...app, config }, { id }, sources)).roles]
  expect(await rolesOf()).toEqual([])
  await app.db.updateTable('users').set({ has_second_factor: true }).where('id', '=', id).execute()
  expect(await rolesOf()).toEqual(['admin'])
})

test('every source is asked once, and what it says is put together', async () => {
  const { app } = site
  const requested: string[] = []
  const { roles, profile } = await recogniseViewer(app, await bearerOf({ name: 'Jane' }), [
    {
      facts: sql`users.name`,
      rolesOf(_app, _member, facts) {
        requested.push('first')
        return { roles: [], profile: { one: facts } }
      },
    },
    {
      facts: sql`json_build_array(1, 'two')`,
      rolesOf(_app, _member, facts) {
        requested.push('second')
        return { roles: ['vip'], profile: { two: facts } }
      },
    },
  ])
  expect({ requested, roles: [...roles], profile }).toEqual({
    requested: ['first', 'second'],
    roles: ['vip'],
    profile: { one: 'Jane', two: [1, 'two'] },
  })
})
