import { describe, expect, test } from 'vitest'
import { PasswordStrength } from './password-strength.server.ts'

const strength = new PasswordStrength()
const owner = { name: 'Jane Reader', email: 'j.doe77@quietroom.example', brandName: 'Daybook' }
const isWeak = (password: string): boolean => strength.isWeak(password, owner)

describe('a password is weak', () => {
  test.each([
    ['common', ['password', 'Password123', 'P@ssw0rd1', 'admin123', 'letmein1', 'iloveyou', 'monkey12', 'zebra1']],
    ['common, with a little added', ['password1234', 'Dragon-1', 'football99', 'drowssap1', 'passwordpassword']],
    [
      'repeated',
      ['00000000', 'aaaaaa', '      ', '123123123', 'abcabcabc', '19841984', 'aaaabbbbcccc', '112233445566'],
    ],
    ['sequential', ['987654321', 'abcdefgh', '123456789012', 'qwertyuiop', '1qaz2wsx', 'zyxwvuts', 'asdfghjkl']],
    ['a date', ['20260101', '01-02-1990', '31.12.1999']],
    [
      'made of the name',
      ['janereader', 'JaneReader1', 'Reader.Jane', 'jane1984', 'Jane-Reader-1984', 'redaerenaj', 'j4n3r34d3r'],
    ],
    ['made of the address', ['j.doe77@quietroom.example', 'doe77doe77', 'quietroom12', 'Quietroom!']],
    [
      'made of the brand',
      ['daybook', 'Daybook1', 'daybook123', 'Daybook2026', 'd4yb00k!!', 'koobyad1', 'daybookdaybook'],
    ],
  ])('that is %s', (_what, passwords) => {
    expect(passwords.filter((password) => !isWeak(password))).toEqual([])
  })

  test.each([
    ['Max Member', 'member@demo.example', ['member-max-1', 'max_member_2026', 'Max.Demo.Member']],
    ['Jane Reader', 'jane@library.example', ['reader-jane-1', 'Library+Jane+12']],
    ['Anna Olsen', 'anna@library.example', ['olsen-anna-12', 'AnnaLibrary1', 'Olsen2026Anna']],
  ])('that is made of what names its owner, %s, in any order', (name, email, passwords) => {
    expect(passwords.filter((password) => !strength.isWeak(password, { ...owner, name, email }))).toEqual([])
  })

  test('that is made of the name of a role', () => {
    const passwords = ['administrator1', 'Administrator1!', 'Administrator2026', 'Admin2026Admin', 'webmaster-12']
    expect(passwords.filter((password) => !isWeak(password))).toEqual([])
  })

  test('that is made of a name in another script', () => {
    const anna = { name: 'Анна Каренина', email: 'a@x.example', brandName: '日々の帳面' }
    expect(strength.isWeak('каренина1', anna)).toBe(true)
    expect(strength.isWeak('日々の帳面12', anna)).toBe(true)
    expect(strength.isWeak('вронский и поезд', anna)).toBe(false)
  })

  test('whatever follows so much of one character', () => {
    expect(isWeak('a'.repeat(200))).toBe(true)
    expect(isWeak('12345678'.repeat(25))).toBe(true)
  })
})

describe('a password is good enough', () => {
  test.each([
    [
      'of a few words',
      ['a quiet reading room', 'correct horse', 'garden lamp', 'sunnybird', 'wintermorning', 'mybicycle'],
    ],
    ['of six characters by chance', ['qx7v2m', 'gH7!kq', 'tea@4pm', 'k9dog!', 'wolke7', '7#fw!z']],
    ['of a word and more', ['kite42', 'Sommer2019', 'lisbon1974', 'fluffykins', 'Tr0ub4dor&3', 'blue-kettle-42']],
    [
      'with a name or the brand in it',
      ['jane likes tea', "jane's blue bicycle", 'daybook of a gull', 'readers corner 7', 'the quietroom librarian'],
    ],
    ['in any script', ['pässwörter', '秘密のパスワード', 'пароль мой', '🦊🐻🦉🐢🦆🐝']],
    ['that is very long', ['the owl and the pussycat went to sea in a beautiful pea green boat, they took some honey']],
  ])('%s', (_what, passwords) => {
    expect(passwords.filter((password) => isWeak(password))).toEqual([])
  })
})

test('a name beside an honest word is good enough', () => {
  expect(strength.isWeak('the head librarian', { ...owner, name: 'The Head', email: 'head@library.example' })).toBe(
    false,
  )
})

test('the work is bounded, however long a password is and however it is made', () => {
  expect(isWeak(`${'a'.repeat(32)} qx7v2m gH7!kq`)).toBe(true)
  const parts = ['1234567890', 'p@$$w0rd', '4@8({[</369|!1$+7%2', '01/02/1990', 'password1', 'aA4@', '1111199999888']
  const time = (length: number): number => {
    const startedAt = performance.now()
    for (const part of parts) isWeak(part.repeat(50).slice(0, length))
    return performance.now() - startedAt
  }
  time(32)
  const rounds = Array.from({ length: 9 }, () => [time(32), time(200)] as const)
  const fastest = (place: 0 | 1): number => Math.min(...rounds.map((round) => round[place]))
  // The whole of 200 characters takes the library 30 times as long as 32 of them.
  expect(fastest(1)).toBeLessThan(4 * fastest(0))
})
