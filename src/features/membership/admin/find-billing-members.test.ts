import { expect, test } from 'vitest'
import { aMember } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { listPeople } from '../../accounts/people/list-people.server.ts'
import { listVips } from '../vips/list-vips.server.ts'
import { findBillingMembers } from './find-billing-members.server.ts'

const testApp = appOfFile()

const found = async (search: string): Promise<string[]> =>
  (await findBillingMembers(testApp.app, { search })).map(({ name }) => name)

test('members are found by words of name and address without regard to case and accents, as in the other lists', async () => {
  await aMember(testApp.app, { name: 'Zoë Quillfeather', email: 'reader@readers.example' })
  await aMember(testApp.app, { name: 'Ann Quillfeather', email: 'ann@readers.example' })
  expect(await found('zoe')).toEqual(['Zoë Quillfeather'])
  expect(await found('QUILLFEATHER')).toEqual(['Ann Quillfeather', 'Zoë Quillfeather'])
  expect(await found('quillfeather reader@')).toEqual(['Zoë Quillfeather'])
  expect(await found('%')).toEqual([])
})

test('whoever has the address that is searched for comes first', async () => {
  await aMember(testApp.app, { name: 'Aaron', email: 'me@mail.example.org' })
  await aMember(testApp.app, { name: 'Zacharias', email: 'me@mail.example' })
  expect(await found('ME@mail.example')).toEqual(['Zacharias', 'Aaron'])
})

test('a page beyond the last one of a search is empty, and tells how many there are', async () => {
  const { app } = testApp
  for (const name of ['Beyond One', 'Beyond Two', 'Beyond Three']) await aMember(app, { name })
  const asked = { search: 'beyond', role: 'all', state: 'all', sort: 'joined', limit: 2 } as const
  expect((await listPeople(app, { ...asked, page: 2 })).people).toHaveLength(1)
  expect(await listPeople(app, { ...asked, page: 9 })).toEqual({ people: [], total: 3, totalPages: 2 })
  const part = { page: 9, limit: 2 }
  expect(await listVips(app, { search: 'beyond', filter: 'all', part })).toEqual({ users: [], total: 3 })
})

test('a name that is many times as long without its ligatures fits into the indexes of the search', async () => {
  const name = '\u{fdfa}\u{3316}\u{332b}\u{3300}'.repeat(25)
  const { id } = await aMember(testApp.app, { name, email: `${'long'.repeat(15)}@${'mail.'.repeat(30)}example` })
  const asked = { search: '\u{3316}', role: 'all', state: 'all', sort: 'seen', page: 1, limit: 10 } as const
  expect((await listPeople(testApp.app, asked)).people.map((person) => person.id)).toEqual([id])
})
