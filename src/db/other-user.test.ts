import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { otherUserOf } from './other-user.ts'

const { uid, username } = userInfo()
const stranger = uid + 54_321
const asStranger = { uid: stranger, ownerOfNewIn: () => Promise.resolve<number | undefined>(stranger) }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-user-'))
})
afterAll(() => rm(directory, { recursive: true }))

test('a data directory in which nothing is yet is everybody’s', async () => {
  expect(await otherUserOf(directory, asStranger)).toBeUndefined()
  expect(await otherUserOf(join(directory, 'none'), asStranger)).toBeUndefined()
})

test.each([
  ['that a server has used', 'database.json', writeFile],
  ['with an embedded database', 'postgres', (path: string) => mkdir(path)],
])('a data directory %s is its user’s', async (_, name, make) => {
  const dataDir = join(directory, name)
  await mkdir(dataDir)
  await make(join(dataDir, name), '')
  expect(await otherUserOf(dataDir)).toBeUndefined()
  expect(await otherUserOf(dataDir, asStranger)).toEqual({
    owner: username,
    user: `${stranger}`,
    asOwner: `runuser -u ${username} -- or sudo -u ${username}`,
    sentence: `The files in ${dataDir} belong to the user ${username}, and this runs as ${stranger}: files that it makes could keep the server from its database.`,
  })
})

test('where whatever is made belongs to one user, as on a share of the network, nobody is refused', async () => {
  const dataDir = join(directory, 'share')
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  expect(await otherUserOf(dataDir, { uid: stranger, ownerOfNewIn: () => Promise.resolve(uid) })).toBeUndefined()
})

test.runIf(uid === 0)('a user without a name is named by the number, in words that a shell takes', async () => {
  const dataDir = join(directory, 'nameless')
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await chown(join(dataDir, 'postgres'), stranger, stranger)
  expect(await otherUserOf(dataDir)).toMatchObject({
    owner: `${stranger}`,
    user: username,
    asOwner: `setpriv --reuid ${stranger} or sudo -u '#${stranger}'`,
  })
  expect(await readdir(dataDir)).toEqual(['postgres'])
})
