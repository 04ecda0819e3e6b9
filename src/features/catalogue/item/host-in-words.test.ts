import { domainToASCII } from 'node:url'
import { expect, test } from 'vitest'
import { hostInWords, siteInWords } from './host-in-words.ts'

test.each([
  'files.example.org',
  'bücher.example',
  'www.日本語ドメイン.jp',
  '한국漢字.example',
  'пример.испытание',
  'παράδειγμα.δοκιμή',
  'مثال.إختبار',
  'उदाहरण.परीक्षा',
  'faß-straße-ñandú.example',
  'col·lecció.example',
  'ラーメン々.example',
  'हिन्दी१.भारत',
])('%s stands in its own letters', (host) => {
  expect(hostInWords(domainToASCII(host))).toBe(host)
})

test.each([
  'раураl.com',
  'пример.com',
  'gооgle.example',
  'ωmega.nz',
  // They pass for 'example.com/login' and 'example.com:login'.
  'example.com\u2044login.evil.example',
  'example.com\u2215login.evil.example',
  'example.coml\u0338ogin.evil.example',
  'example.com\u02d0login.evil.example',
  'example.comノlogin.evil.example',
  'ラーメン・東京.example',
])('%s has its encoded form beside it', (host) => {
  const encoded = domainToASCII(host)
  expect(encoded).toContain('xn--')
  expect(hostInWords(encoded)).toBe(`${host} (${encoded})`)
})

test('a port stays behind its host', () => {
  expect(hostInWords('xn--e1afmkfd.xn--p1ai:8080')).toBe('пример.рф:8080')
  const mixed = domainToASCII('ωmega.nz')
  expect(hostInWords(`${mixed}:8080`)).toBe(`ωmega.nz:8080 (${mixed}:8080)`)
  for (const host of ['files.example.org:8080', '[::1]:8080', '[::1]']) expect(hostInWords(host)).toBe(host)
})

test('what encodes nothing stays as it is, and an address is called by its host', () => {
  for (const host of ['xn--a_.example', 'xn--99999999999.example', 'xn--bcher-kv.example'])
    expect(hostInWords(host)).toBe(host)
  expect(siteInWords('https://www.xn--bcher-kva.example/a')).toBe('bücher.example')
})
