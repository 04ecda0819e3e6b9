import { beforeAll, expect, test } from 'vitest'
import type { AdminSearch } from '../../src/features/site/admin-search/admin-search-schema.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { aNotice } from '../harness/notices.ts'
import { serverOfFile } from '../harness/test-server.ts'

let admin: Record<string, string>
let officer: Record<string, string>

const server = serverOfFile()

beforeAll(async () => {
  // The first administrator is the safety officer.
  officer = bearer(await signIn(server, await aMember(server.app, { isAdmin: true, name: 'Olga Officer' })))
  admin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true, name: 'Ada Admin' })))
  await someItems(server.app, [
    { name: 'Emma, a letter' },
    { name: 'Emma' },
    { name: 'The last Emma', status: 'draft' },
    { name: 'Persuasion', creators: 'Emma Example' },
  ])
})

async function find(q: string, headers = admin): Promise<AdminSearch['groups']> {
  const answer = await server.request(`/api/admin/search?${new URLSearchParams({ q }).toString()}`, { headers })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return (answer.json() as AdminSearch).groups
}

const titles = async (q: string, headers = admin) =>
  (await find(q, headers)).map(({ name, results }) => [name, results.map(({ title }) => title)])

test('entries of every status are found, those of the very name first', async () => {
  expect(await titles('EMMA')).toEqual([['Entries', ['Emma', 'Emma, a letter', 'The last Emma', 'Persuasion']]])
  const [group] = await find('last emma')
  expect(group?.results).toMatchObject([{ facts: 'Draft', to: expect.stringMatching(/^\/admin\/settings\?edit=/) }])
})

test('members are found by name and address, settings by their names without their secrets', async () => {
  expect(await titles('ada adm')).toEqual([['Members', ['Ada Admin']]])
  const [settings] = await find('backup at')
  expect(settings).toMatchObject({
    name: 'Settings',
    results: [{ title: 'BACKUP_AT', to: '/admin/configuration#BACKUP_AT' }],
  })
})

test('notices are found by their numbers, each by those who may know of it', async () => {
  const made = await aNotice(server.app, { kind: 'privacy' })
  const child = await aNotice(server.app, { kind: 'child-safety' })
  expect(await titles(made.reference)).toEqual([['Notices', [made.reference]]])
  expect(await titles(child.reference)).toEqual([])
  expect(await titles(child.reference, officer)).toEqual([['Notices', [child.reference]]])
})

test.each(['', '   ', '%', '_', '\\', "'", 'no such thing'])('%j finds nothing', async (q) => {
  expect(await find(q)).toEqual([])
})

test('a text of more than 200 characters is refused', async () => {
  expect((await server.request(`/api/admin/search?q=${'x'.repeat(201)}`, { headers: admin })).status).toBe(400)
})
