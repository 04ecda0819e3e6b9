import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { otherUserOf } from './other-user.ts'

const { uid, username } = userInfo()
const stranger = uid + 54_321
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-user-'))
})
afterAll(() => rm(directory, { recursive: true }))

test('a data directory in which nothing is yet is everybody’s', async () => {
  expect(await otherUserOf(directory, stranger)).toBeUndefined()
  expect(await otherUserOf(join(directory, 'none'), stranger)).toBeUndefined()
})

test.each([
  ['that a server has used', 'database.json', writeFile],
  ['with an embedded database', 'postgres', (path: string) => mkdir(path)],
])('a data directory %s is its user’s', async (_, name, make) => {
  const dataDir = join(directory, name)
  await mkdir(dataDir)
  await make(join(dataDir, name), '')
  expect(await otherUserOf(dataDir, uid)).toBeUndefined()
  expect(await otherUserOf(dataDir, stranger)).toEqual({
    owner: username,
    user: `#${stranger}`,
    sentence: `The files in ${dataDir} belong to the user ${username}, and this runs as #${stranger}: files that it makes could keep the server from its database.`,
  })
})
