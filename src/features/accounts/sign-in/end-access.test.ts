import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { beforeEach, expect, test, vi } from 'vitest'
import { aMember, type MadeMember } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { adminCommand } from '../../../commands/admin.ts'
import { auditCommand } from '../../../commands/audit.ts'
import type { WithApp } from '../../../commands/command.ts'
import { makeAppPassword } from '../app-passwords/app-passwords.server.ts'
import { closeDemoAccounts } from '../administrators/close-demo-accounts.server.ts'
import { demoLoginsFile } from '../demo/fill-demo-accounts.server.ts'
import { recogniseViewer } from '../sessions/recognise-viewer.server.ts'
import { changePassword } from './change-password.server.ts'
import { issuePasswordReset } from './issue-password-reset.server.ts'
import { resetPassword } from './reset-password.server.ts'
import { signIn, type SignedIn } from './sign-in.server.ts'

const site = appOfFile()
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
})

const password = 'a kettle for the owl'
const address = '192.0.2.1'

/** A member with two sessions, on a device each, an app password, a link to set a password, and an address that they have asked for. */
interface Entered {
  member: MadeMember
  here: SignedIn
  link: string
}

async function entered(overrides: Parameters<typeof aMember>[1] = {}): Promise<Entered> {
  const { app } = site
  const member = await aMember(app, overrides)
  const open = () => signIn(app, { ...member, isRemembered: false, address, userAgent: '' })
  const here = await open()
  await open()
  await makeAppPassword(app, await recogniseViewer(app, `Bearer ${here.token}`, []), { name: 'A reading program' })
  const link = (await issuePasswordReset(app, { userId: member.id, kind: 'forgotten', emailId: randomUUID() })) ?? ''
  await app.db
    .insertInto('address_changes')
    .values({ user_id: member.id, email: `other-${member.email}`, requested_at: new Date(app.clock.now()) })
    .execute()
  return { member, here, link }
}

async function leftOf({ member }: Entered) {
  const count = async (table: 'sessions' | 'app_passwords' | 'known_devices' | 'password_resets' | 'address_changes') =>
    (await site.app.db.selectFrom(table).select('user_id').where('user_id', '=', member.id).execute()).length
  return {
    sessions: await count('sessions'),
    appPasswords: await count('app_passwords'),
    devices: await count('known_devices'),
    links: await count('password_resets'),
    addresses: await count('address_changes'),
  }
}

const all = { sessions: 2, appPasswords: 1, devices: 2, links: 1, addresses: 1 }
const nothing = { sessions: 0, appPasswords: 0, devices: 0, links: 0, addresses: 0 }

const withApp: WithApp = (work) => work(site.app, [], site.database)

test.each<[string, (theirs: Entered) => Promise<unknown>, typeof all, { email?: string; others?: typeof all }]>([
  [
    'a change of the password leaves the session and the device in use',
    async ({ here: { token, deviceSecrets } }) =>
      changePassword(site.app, await recogniseViewer(site.app, `Bearer ${token}`, []), {
        token,
        password,
        deviceSecrets,
      }),
    { ...nothing, sessions: 1, devices: 1 },
    {},
  ],
  [
    'a reset leaves the device in use',
    ({ link: token, here: { deviceSecrets } }) => resetPassword(site.app, { token, password, address, deviceSecrets }),
    { ...nothing, devices: 1 },
    {},
  ],
  [
    'the command admin create leaves nothing',
    async ({ member: { email } }) => {
      vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([`${password}\n`]) as typeof process.stdin)
      expect(await adminCommand.run(['create', email], withApp, {})).toBe(0)
    },
    nothing,
    {},
  ],
  [
    'a public site leaves nothing of an account of the demo',
    async ({ member }) => {
      await writeFile(demoLoginsFile(site.app.config), JSON.stringify({ [member.email]: member.password }))
      await closeDemoAccounts({ ...site.app, config: { ...site.app.config, isPublic: true } })
    },
    nothing,
    { email: 'vip@demo.example' },
  ],
  [
    'the command audit restored --confirm leaves nobody anything',
    async () => {
      expect(await auditCommand.run(['restored', '--confirm'], withApp, {})).toBe(0)
    },
    nothing,
    { others: nothing },
  ],
])('%s', async (_sentence, act, left, { email, others = all }) => {
  const theirs = await entered(email === undefined ? {} : { email })
  const another = await entered()
  expect([await leftOf(theirs), await leftOf(another)]).toEqual([all, all])
  await act(theirs)
  expect(await leftOf(theirs)).toEqual(left)
  expect(await leftOf(another)).toEqual(others)
})
