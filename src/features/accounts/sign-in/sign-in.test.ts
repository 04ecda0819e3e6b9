import { beforeAll, expect, test } from 'vitest'
import { aMember, type MadeMember } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { Passwords } from '../passwords/passwords.server.ts'
import { signIn } from './sign-in.server.ts'

const hashMs = 25
/** 20 in 15 minutes, and those that were under way together with the last of them. */
const maxPerAccount = 40
const hashOf = (password: string): string => `$argon2id$${password}`

let hashes = 0

const site = appOfFile()

beforeAll(async () => {
  // As long as a hash takes on a small machine, and counted.
  site.app.passwords = await Passwords.open({
    hash: (password) => Promise.resolve(hashOf(password)),
    async verify(passwordHash, password) {
      hashes += 1
      await new Promise((wake) => setTimeout(wake, hashMs))
      return passwordHash === hashOf(password)
    },
  })
})

const statusOf = ({ email, password }: Pick<MadeMember, 'email' | 'password'>, address: string): Promise<number> =>
  signIn(site.app, { email, password, isRemembered: false, address, userAgent: '' }).then(
    () => 200,
    (error: { status: number }) => error.status,
  )

/** Signs in again and again on so many connections, until it is told to stop. */
function flood(members: MadeMember[], addresses: string[], connections: number) {
  const answers = new Map<number, number>()
  const end = new AbortController()
  const drive = async (i: number): Promise<void> => {
    for (let round = i; !end.signal.aborted; round += connections) {
      const status = await statusOf(
        members[round % members.length] as MadeMember,
        addresses[round % addresses.length] as string,
      )
      answers.set(status, (answers.get(status) ?? 0) + 1)
      // A refusal takes nobody's time, and a caller elsewhere needs some to ask again.
      if (status !== 200) await new Promise((wake) => setTimeout(wake, 5))
    }
  }
  const drives = Array.from({ length: connections }, (_, i) => drive(i))
  return {
    answers,
    async stop() {
      end.abort()
      await Promise.all(drives)
    },
  }
}

test.each([
  ['one address with five accounts', 5, ['198.51.100.9'], 100],
  ['four addresses with 20 accounts', 20, ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'], 200],
])('a member signs in beside %s that do so rightly as fast as they can', async (_what, accounts, addresses, loops) => {
  const members = await Promise.all(Array.from({ length: accounts }, () => aMember(site.app)))
  const honest = await aMember(site.app)
  hashes = 0
  const { answers, stop } = flood(members, addresses, loops)
  const took: number[] = []
  try {
    for (let i = 0; i < 10; i += 1) {
      await new Promise((wake) => setTimeout(wake, 150))
      const startedAt = performance.now()
      expect(await statusOf(honest, '203.0.113.7')).toBe(200)
      took.push(performance.now() - startedAt)
    }
  } finally {
    await stop()
  }
  // Some 16 others stand before them at most, two of which are compared at once.
  expect(Math.max(...took)).toBeLessThan(3_000)
  // All of the flood together has cost what its accounts may do, and no more.
  expect(answers.get(200)).toBeLessThanOrEqual(maxPerAccount * accounts)
  expect(hashes).toBeLessThanOrEqual(maxPerAccount * accounts + 10)
  // A slow machine has not come to the end of what twenty accounts may do.
  if (accounts === 5) expect(answers.get(429)).toBeGreaterThan(0)
  expect([...answers.keys()].filter((status) => ![200, 429, 503].includes(status))).toEqual([])
})

test('a hash that was made with less work is made anew by a sign-in, also by several at once; sessions stay', async () => {
  const { app } = site
  const hash = (password: string): string => `$argon2id$new$ ${password}`
  app.passwords = await Passwords.open({
    hash: (password) => Promise.resolve(hash(password)),
    verify: (passwordHash, password) => Promise.resolve(passwordHash.endsWith(` ${password}`)),
    isOutdated: (passwordHash) => !passwordHash.startsWith('$argon2id$new$'),
  })
  const member = await aMember(app)
  const { id, password } = member
  await app.db
    .updateTable('users')
    .set({ password_hash: `$argon2id$old$ ${password}` })
    .where('id', '=', id)
    .execute()
  const statuses = await Promise.all(['203.0.113.8', '203.0.113.9'].map((address) => statusOf(member, address)))
  expect(statuses).toEqual([200, 200])
  const stored = await app.db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow()
  expect(stored.password_hash).toBe(hash(password))
  expect(await app.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toHaveLength(2)
  expect(await statusOf({ ...member, password: 'a wrong password' }, '203.0.113.8')).toBe(401)
})
