import { expect, test } from 'vitest'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { appointFirstAdministrator } from './appoint-first-administrator.server.ts'

const opened = appOfFile()

/** The start with this password of the first administrator. */
function startWith(password: string): Promise<void> {
  const { app } = opened
  const config = { ...app.config, firstAdmin: { email: 'head@library.example', password } }
  return appointFirstAdministrator({ ...app, config })
}
const administrators = () => opened.app.db.selectFrom('users').select('email').where('is_admin', '=', true).execute()

test.each(['short', 'password123', 'Administrator1'])(
  'the password %s is refused, and the sentence does not hold it',
  async (password) => {
    const fault = await startWith(password).catch((error: unknown) => error as Error)
    expect(fault).toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/^ADMIN_PASSWORD must be /) as string,
    })
    expect((fault as Error).message).not.toContain(`"${password}"`)
    expect((fault as Error).message).not.toMatch(/password123|Administrator1/)
    expect(await administrators()).toEqual([])
  },
)

test('a good one makes the administrator, and another after it changes nobody', async () => {
  await startWith('the head librarian')
  await startWith('somebody else came')
  expect(await administrators()).toEqual([{ email: 'head@library.example' }])
})
