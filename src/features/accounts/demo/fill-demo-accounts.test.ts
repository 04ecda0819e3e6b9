import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../../tests/harness/test-app.ts'
import { fillDemoAccounts, readDemoLogins } from './fill-demo-accounts.server.ts'

test('the logins are written where the data directory does not exist yet', async () => {
  await using own = await openTestApp()
  const { app } = own
  const dataDir = join(app.config.dataDir, 'not', 'there')
  const demo = { ...app, config: { ...app.config, dataDir, hasDemoAccounts: true } }
  await fillDemoAccounts(demo)
  const logins = await readDemoLogins(demo)
  expect(logins.filter(({ password }) => password !== undefined)).toHaveLength(3)
})
