import { expect, test } from 'vitest'
import { someItems } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { readLapsingItems } from './rights-home.server.ts'

const testApp = appOfFile({ now: new Date().toISOString() })

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('rights that end within 30 days wait, the first of them by name; later ones and drafts do not', async () => {
  const { app } = testApp
  expect(await readLapsingItems(app)).toBeUndefined()
  await someItems(app, [
    { name: 'In three weeks', validTo: inDays(21) },
    { name: 'In a week', validTo: inDays(7) },
    { name: 'In a year', validTo: inDays(365) },
    { name: 'A draft', validTo: inDays(7), status: 'draft' },
  ])
  expect(await readLapsingItems(app)).toEqual({
    sentence: 'The rights of 2 entries end within 30 days, those of “In a week” first',
    // Told ahead: the navigation counts what needs a hand.
    count: 0,
    group: 'rights',
    until: expect.any(Date) as Date,
    verb: 'Renew',
    to: '/admin/rights?show=lapsing',
  })
})
