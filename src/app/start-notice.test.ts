import { expect, test } from 'vitest'
import { startNotice } from './start-notice.ts'

const logins = [
  { role: 'administrator', email: 'admin@demo.example', password: 'WUiLnXh0tIhE' },
  { role: 'VIP', email: 'vip@demo.example', password: undefined },
] as const
const site = {
  brandName: 'Daybook',
  url: 'http://localhost:3000',
  logins: [...logins],
  loginsFile: '/data/demo-logins.json',
  sandboxUrl: 'http://localhost:3001',
}

test('a terminal is shown the demo logins', () => {
  expect(startNotice({ ...site, isTerminal: true })).toBe(`
  Daybook is open at http://localhost:3000

  Demo logins
    admin@demo.example  WUiLnXh0tIhE  administrator
    vip@demo.example    (password changed)  VIP

  TEST MODE: no card is charged. Payments are played at http://localhost:3001

`)
})

test('a log is told the file that holds them, and no password', () => {
  const notice = startNotice({ ...site, isTerminal: false })
  expect(notice).toContain('\n  Demo logins are in /data/demo-logins.json\n')
  expect(notice).not.toContain('WUiLnXh0tIhE')
})

test('a site without a demo and without the sandbox is told where it is', () => {
  const notice = startNotice({ ...site, logins: [], sandboxUrl: undefined, isTerminal: true })
  expect(notice).toBe('\n  Daybook is open at http://localhost:3000\n\n')
})
