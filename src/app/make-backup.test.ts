import { expect, test } from 'vitest'
import { failureOf } from './make-backup.ts'

const opened = 'Opened: the embedded database in /srv/data.\n'

test('a backup that fails says the last sentence of the command', () => {
  const { message } = failureOf(`${opened}There is no room.\n`, { code: 1, killedBy: null })
  expect(message).toBe('There is no room.')
})

test.each([
  ['TypeError: x is undefined\n    at y\n\nNode.js v24.1.0\n', 1, null, 'The process that makes it broke off with 1.'],
  ['FATAL ERROR: heap out of memory\n0x7f [libc.so.6]\n', 134, null, 'The process that makes it broke off with 134.'],
  ['', 1, null, 'The process that makes it broke off with 1.'],
  [opened, null, 'SIGKILL', 'The process that makes it was ended by SIGKILL, as the system does for want of memory.'],
  [opened, null, 'SIGTERM', 'The process that makes it was ended by SIGTERM.'],
] as const)('the last line of a crash is for the log alone: %j', (said, code, killedBy, sentence) => {
  const { message, cause } = failureOf(said, { code, killedBy })
  expect(message).toBe(sentence)
  expect((cause as Error).message).toBe(said.trim())
})
