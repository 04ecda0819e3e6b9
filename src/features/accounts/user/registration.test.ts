import { describe, expect, test } from 'vitest'
import {
  checkForgotPassword,
  checkNewPassword,
  checkRegistration,
  checkRegistrationForm,
  checkReset,
  checkSignIn,
  emailError,
} from './registration.ts'

const good = {
  name: 'Anna Lund',
  email: 'anna@example.org',
  password: 'secret',
  confirmation: 'secret',
  hasAcceptedTerms: true,
}

describe('a registration', () => {
  test('that keeps every rule has no problem', () => {
    expect(checkRegistration(good)).toBeUndefined()
    expect(checkRegistrationForm(good)).toBeUndefined()
  })

  test('is told its first fault, in the order of the specification', () => {
    const form = { name: ' ', email: '', password: '12345', confirmation: 'other', hasAcceptedTerms: false }
    const reported: string[] = []
    for (const mended of [
      {},
      { name: 'Anna' },
      { email: 'a@b.org' },
      { password: '123456' },
      { confirmation: '123456' },
    ]) {
      Object.assign(form, mended)
      reported.push(checkRegistrationForm(form)?.message ?? '')
    }
    expect(reported).toEqual([
      'Name is required',
      'Email is required',
      'Password must be at least 6 characters',
      'Passwords do not match',
      'Please accept the terms and conditions',
    ])
  })

  test.each([
    ['name', { name: '\t \u00a0' }],
    ['name', { name: '\u200b\u2060' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'Anna\r\nBcc: all@example.org' }],
    ['name', { name: 'An\u0000na' }],
    ['name', { name: 'An\u200bna' }],
    ['name', { name: 'An\u00adna' }],
    ['name', { name: 'Anna\ufeff' }],
    ['name', { name: 'Anna\u3164' }],
    ['name', { name: '\u202eannA' }],
    ['name', { name: 'Anna \u2066Lund\u2069' }],
    ['name', { name: 'Anna\u200f' }],
    ['name', { name: 'Anna\u200d' }],
    ['name', { name: '\u200cAnna' }],
    ['name', { name: 'Anna\u200d Lund' }],
    ['name', { name: 'An\u200d\u200dna' }],
    ['name', { name: 'Anna\ufe0f' }],
    ['name', { name: '4\u200d2' }],
    ['name', { name: 'Anna\ufe0e' }],
    ['email', { email: '  ' }],
    ['email', { email: 'anna' }],
    ['password', { password: '' }],
    ['password', { password: 'x'.repeat(201) }],
    ['confirmation', { confirmation: 'Secret' }],
    ['hasAcceptedTerms', { hasAcceptedTerms: false }],
  ])('names the field %s for %j', (field, change) => {
    expect(checkRegistrationForm({ ...good, ...change })?.field).toBe(field)
  })

  test('takes names of any script up to 100 characters, counted as a person counts', () => {
    for (const name of ['李', 'محمد بن علي', "O'Brien-Łukasiewicz", '🦊'.repeat(100)]) {
      expect(checkRegistration({ ...good, name })).toBeUndefined()
    }
  })

  test.each([
    'می\u200cخواهم',
    'ක්\u200dරිස්තියානි',
    'र्\u200dय',
    '👩\u200d🚀',
    '👩🏽\u200d🚀',
    '❤\ufe0f\u200d🔥',
    'Anna ❤\ufe0f',
    '🏳\ufe0f\u200d⚧\ufe0f Kim',
  ])('takes the joiners of %s', (name) => {
    expect(checkRegistration({ ...good, name })).toBeUndefined()
  })

  test('counts the characters of a password, not their halves', () => {
    expect(checkRegistration({ ...good, password: '🦊🦊🦊' })?.message).toBe('Password must be at least 6 characters')
    expect(checkRegistration({ ...good, password: '🦊'.repeat(200) })).toBeUndefined()
  })

  test('takes blanks in a password as they are', () => {
    expect(checkRegistration({ ...good, password: '      ' })).toBeUndefined()
    expect(checkRegistrationForm({ ...good, confirmation: 'secret ' })?.message).toBe('Passwords do not match')
  })
})

describe('an email address', () => {
  test.each([
    'anna@example.org',
    ' anna@example.org ',
    "o'brien+news@mail.example.co.uk",
    'a..b@docomo.example.jp',
    'δοκιμή@παράδειγμα.δοκιμή',
    '用户@例子.广告',
    'anna@xn--bcher-kva.example',
  ])('may be %s', (email) => {
    expect(emailError(email)).toBeUndefined()
  })

  test.each([
    'anna',
    'anna@',
    '@example.org',
    'anna@localhost',
    'anna@example..org',
    'anna@-example.org',
    'anna@example-.org',
    'an na@example.org',
    'anna@exam\u0000ple.org',
    'an\u200dna@example.org',
    'an\ufe0fna@example.org',
    'an\u034fna@example.org',
    'anna@exam\ufe0fple.org',
    'anna\u202e@example.org',
    'anna@example.org,eve@example.net',
    'anna@example.org,eve',
    'anna,eve@example.org',
    'Anna <anna@example.org>',
    '"anna"@example.org',
    'anna@example.org\nBcc: eve@example.net',
    'ａｎｎａ@example.org',
    `${'a'.repeat(243)}@example.org`,
  ])('may not be %j', (email) => {
    expect(emailError(email)).toBe('Please enter a valid email address')
  })

  test('may have 254 characters', () => {
    expect(emailError(`${'a'.repeat(242)}@example.org`)).toBeUndefined()
  })

  test('is required', () => {
    expect(emailError(' ')).toBe('Email is required')
  })

  test('is judged at once, however it is made', () => {
    const took = Array.from({ length: 5 }, () => {
      const startedAt = performance.now()
      emailError(`${'a-'.repeat(120)}@${'a-'.repeat(50_000)}`)
      emailError(`a@${'a.'.repeat(50_000)}!`)
      emailError(`a@${'a'.repeat(120)}${'-'.repeat(120)}`)
      return performance.now() - startedAt
    })
    // The fastest is the one that nothing else on the machine has come into.
    expect(Math.min(...took)).toBeLessThan(200)
  })
})

describe('a new password', () => {
  test('has at least 8 characters and at most 200', () => {
    const check = (password: string) => checkNewPassword(password, { isAdmin: false })
    expect(check('1234567')).toEqual({
      field: 'password',
      message: 'Password must be at least 8 characters long',
    })
    expect(check('12345678')).toBeUndefined()
    expect(check('x'.repeat(200))).toBeUndefined()
    expect(check('x'.repeat(201))?.message).toBe('Password must be at most 200 characters')
  })

  test('of an administrator has at least 12', () => {
    const check = (password: string) => checkNewPassword(password, { isAdmin: true })?.message
    expect(check('12345678901')).toBe('Password must be at least 12 characters long')
    expect(check('🦊'.repeat(11))).toBe('Password must be at least 12 characters long')
    expect(check('123456789012')).toBeUndefined()
  })
})

describe('signing in', () => {
  test('asks for an address, then for a password', () => {
    expect(checkSignIn({ email: ' ', password: '' })).toEqual({ field: 'email', message: 'Email is required' })
    expect(checkSignIn({ email: 'anna', password: '' })?.message).toBe('Please enter a valid email address')
    expect(checkSignIn({ email: 'anna@example.org', password: '' })).toEqual({
      field: 'password',
      message: 'Password is required',
    })
  })

  test('takes any address that an account may have, and any password', () => {
    expect(checkSignIn({ email: ' root@localhost ', password: 'x' })).toBeUndefined()
    expect(checkSignIn({ email: '用户@例子.广告', password: ' ' })).toBeUndefined()
  })
})

describe('a forgotten password', () => {
  test('asks for an address', () => {
    expect(checkForgotPassword('')?.message).toBe('Email is required')
    expect(checkForgotPassword('anna@')?.message).toBe('Please enter a valid email address')
    expect(checkForgotPassword('anna@example.org')).toBeUndefined()
  })

  test('is reset with the same password twice, of any length', () => {
    expect(checkReset({ password: '', confirmation: '' })?.field).toBe('password')
    expect(checkReset({ password: 'a', confirmation: '' })?.field).toBe('confirmation')
    expect(checkReset({ password: 'a', confirmation: 'b' })).toEqual({
      field: 'confirmation',
      message: "Passwords don't match.",
    })
    expect(checkReset({ password: 'a', confirmation: 'a' })).toBeUndefined()
  })
})
