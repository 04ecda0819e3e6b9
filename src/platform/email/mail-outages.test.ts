import { expect, test } from 'vitest'
import { openLog } from '../log.ts'
import { MailOutages } from './mail-outages.ts'

test('an outage is told when it begins, once a minute while emails fail, and when it is over', () => {
  const lines: unknown[] = []
  let now = 0
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const outages = new MailOutages(log, () => now)
  outages.answered()
  for (const second of [0, 1, 30, 59, 60, 61, 119, 121, 130]) {
    now = second * 1_000
    outages.failed('connect ECONNREFUSED')
  }
  now = 140_000
  outages.answered()
  outages.answered()
  expect(lines).toMatchObject([
    {
      level: 40,
      reason: 'connect ECONNREFUSED',
      msg: 'The mail server takes no emails. They wait, and are tried again.',
    },
    { level: 40, seconds: 60, failures: 5, msg: 'The mail server still takes no emails.' },
    { level: 40, seconds: 121, failures: 8, msg: 'The mail server still takes no emails.' },
    { level: 30, seconds: 140, failures: 9, msg: 'The mail server takes emails again.' },
  ])
  lines.length = 0
  outages.failed('Greeting never received')
  expect(lines).toMatchObject([{ level: 40, reason: 'Greeting never received' }])
})
