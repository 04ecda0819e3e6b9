import { domainToASCII } from 'node:url'
import { describe, expect, test } from 'vitest'
import { asciiDomainOf, foldEmail } from './email.ts'

describe('addresses are the same account', () => {
  test.each([
    ['Anna@Example.ORG', ' anna@example.org '],
    ['anna@bücher.example', 'anna@xn--bcher-kva.example'],
    ['anna@BÜCHER.example', 'ANNA@XN--BCHER-KVA.example'],
    ['anna@bu\u0308cher.example', 'anna@bücher.example'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ['用户@例子。广告', '用户@例子.广告'],
    ['δοκιμή@παράδειγμα.δοκιμή', 'δοκιμή@xn--hxajbheg2az3al.xn--jxalpdlp'],
  ])('%s and %s', (one, other) => {
    expect(foldEmail(one)).toBe(foldEmail(other))
  })
})

describe('addresses are different accounts', () => {
  test.each([
    ['anna@example.org', 'ann@example.org'],
    // Another letter is another domain: only the mark of the lists tells them apart (`mixed-scripts.ts`).
    ['anna@example.org', 'anna@exаmple.org'],
    ['anna@strasse.example', 'anna@straße.example'],
    ['anna@example.org', 'anna@example.org/x'],
  ])('%s and %s', (one, other) => {
    expect(foldEmail(one)).not.toBe(foldEmail(other))
  })
})

test('what is no address, or has a domain that cannot exist, is folded as it stands', () => {
  expect(foldEmail(' ROOT ')).toBe('root')
  expect(foldEmail('@')).toBe('@')
  expect(foldEmail('a@bé/c')).toBe('a@bé/c')
  expect(foldEmail('a@b\u200cé.org')).toBe('a@b\u200cé.org')
})

test('a domain that cannot exist has no A-labels', () => {
  for (const domain of ['b\u200cé.org', 'bé/c', 'bé:1', '\u0300b.org', ''])
    expect(asciiDomainOf(domain)).toBeUndefined()
})

test('the domain is folded as Node folds it, twice as once', () => {
  for (const domain of ['bücher.example', '例子.广告', 'straße.de', 'παράδειγμα.δοκιμή', 'ا1.org', 'a--é.org']) {
    const ascii = asciiDomainOf(domain)
    expect(ascii).toBe(domainToASCII(domain))
    expect(foldEmail(foldEmail(`a@${domain}`))).toBe(`a@${ascii ?? ''}`)
  }
})
