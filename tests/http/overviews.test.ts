import { beforeAll, expect, test } from 'vitest'
import { gatherLinks } from '../../src/features/catalogue/links/gather-links.server.ts'
import type { Duplicates, Schedule } from '../../src/features/catalogue/overviews/overviews-schema.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

let admin: { authorization: string }

// It is March 15, 2024.
const server = serverOfFile({ env: { TIME_ZONE: 'America/Sao_Paulo' } })

beforeAll(async () => {
  admin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
  await someItems(server.app, [
    { name: 'The Trial', creators: 'Franz Kafka', link: 'https://files.example/1', postDate: '2024-03-01' },
    { name: 'the TRIAL', slug: 'trial-2', creators: 'Franz Káfka', status: 'draft', postDate: '2024-03-02' },
    {
      name: 'The Trial',
      slug: 'trial-3',
      creators: 'Somebody else',
      link: 'https://files.example/2',
      postDate: '2024-03-20',
    },
    { name: 'One file', link: 'https://files.example/same', postDate: '2024-04-01' },
    {
      name: 'Another name of it',
      link: 'https://files.example/3',
      linkG: 'https://files.example/same',
      postDate: '2024-03-31',
    },
  ])
  await gatherLinks(server.app)
})

const read = (path: string) => server.request(path, { headers: admin })

test('the calendar has what is published or scheduled, by the days of the site', async () => {
  const { month, today, days } = (await read('/api/schedule')).json() as Schedule
  expect([month, today]).toEqual(['2024-03', '2024-03-15'])
  expect(days.map(({ day, total, entries }) => [day, total, entries[0]?.name, entries[0]?.isAhead])).toEqual([
    ['2024-03-01', 1, 'The Trial', false],
    ['2024-03-20', 1, 'The Trial', true],
    ['2024-03-31', 1, 'Another name of it', true],
  ])
  const april = (await read('/api/schedule?month=2024-04')).json() as Schedule
  expect(april.days.map(({ day }) => day)).toEqual(['2024-04-01'])
  expect(((await read('/api/schedule?month=1999-01')).json() as Schedule).days).toEqual([])
  for (const wrong of ['', '2024-13', '2024', 'x'])
    expect((await read(`/api/schedule?month=${wrong}`)).status).toBe(400)
})

test('duplicates have the same title and creators, or share a link', async () => {
  const { groups, isCut } = (await read('/api/duplicates')).json() as Duplicates
  expect(isCut).toBe(false)
  expect(groups.map(({ same, entries }) => [same, ...entries.map(({ name, status }) => `${name}, ${status}`)])).toEqual(
    [
      ['title', 'The Trial, published', 'the TRIAL, draft'],
      ['file', 'One file, published', 'Another name of it, published'],
    ],
  )
})

test('without a month the calendar opens on the nearest one that has entries, where the present one has none', async () => {
  server.clock.set('2024-06-10T12:00:00Z')
  admin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
  const { month, today, days } = (await read('/api/schedule')).json() as Schedule
  expect([month, today, days.length]).toEqual(['2024-04', '2024-06-10', 1])
})
