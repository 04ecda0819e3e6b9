import { describe, expect, test } from 'vitest'
import {
  checkForgotten,
  checkNewPassword,
  checkRegistration,
  checkRegistrationForm,
  checkReset,
  checkSignIn,
  emailProblem,
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
    const told: string[] = []
    for (const mended of [
      {},
      { name: 'Anna' },
      { email: 'a@b.org' },
      { password: '123456' },
      { confirmation: '123456' },
    ]) {
      Object.assign(form, mended)
      told.push(checkRegistrationForm(form)?.message ?? '')
    }
    expect(told).toEqual([
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
    expect(emailProblem(email)).toBeUndefined()
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
    'anna@example.org,eve@example.net',
    'anna@example.org,eve',
    'anna,eve@example.org',
    'Anna <anna@example.org>',
    '"anna"@example.org',
    'anna@example.org\nBcc: eve@example.net',
    'ａｎｎａ@example.org',
    `${'a'.repeat(243)}@example.org`,
  ])('may not be %j', (email) => {
    expect(emailProblem(email)).toBe('Please enter a valid email address')
  })

  test('may have 254 characters', () => {
    expect(emailProblem(`${'a'.repeat(242)}@example.org`)).toBeUndefined()
  })

  test('is required', () => {
    expect(emailProblem(' ')).toBe('Email is required')
  })

  test('is judged at once, however it is made', () => {
    const startedAt = performance.now()
    emailProblem(`${'a-'.repeat(120)}@${'a-'.repeat(50_000)}`)
    emailProblem(`a@${'a.'.repeat(50_000)}!`)
    emailProblem(`a@${'a'.repeat(120)}${'-'.repeat(120)}`)
    expect(performance.now() - startedAt).toBeLessThan(200)
  })
})

describe('a new password', () => {
  test('has at least 8 characters and at most 200', () => {
    expect(checkNewPassword('1234567')).toEqual({
      field: 'password',
      message: 'Password must be at least 8 characters long',
    })
    expect(checkNewPassword('12345678')).toBeUndefined()
    expect(checkNewPassword('x'.repeat(200))).toBeUndefined()
    expect(checkNewPassword('x'.repeat(201))?.message).toBe('Password must be at most 200 characters')
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
    expect(checkForgotten('')?.message).toBe('Email is required')
    expect(checkForgotten('anna@')?.message).toBe('Please enter a valid email address')
    expect(checkForgotten('anna@example.org')).toBeUndefined()
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
