import { domainToASCII } from 'node:url'
import { expect, test } from 'vitest'
import { hostInWords, siteInWords } from './host-in-words.ts'

test.each([
  'bücher.example',
  'www.日本語ドメイン.jp',
  '한국漢字.example',
  'пример.испытание',
  'مثال.إختبار',
  'उदाहरण.परीक्षा',
  'faß-straße-ñandú.example',
  'col·lecció.example',
  // They pass for others.
  'раураl.com',
  'gооgle.example',
  'ɡofile.io',
  'example.com\u2044login.evil.example',
])('%s stands in its own letters, with its encoded form beside it', (host) => {
  const encoded = domainToASCII(host)
  expect(encoded).toContain('xn--')
  expect(hostInWords(encoded)).toBe(`${host} (${encoded})`)
})

test('a port stays behind its host', () => {
  expect(hostInWords('xn--e1afmkfd.xn--p1ai:8080')).toBe('пример.рф:8080 (xn--e1afmkfd.xn--p1ai:8080)')
  for (const host of ['files.example.org', 'files.example.org:8080', '[::1]:8080', '[::1]'])
    expect(hostInWords(host)).toBe(host)
})

test('what encodes nothing stays as it is, and an address is called by its host', () => {
  for (const host of ['xn--a_.example', 'xn--99999999999.example', 'xn--bcher-kv.example'])
    expect(hostInWords(host)).toBe(host)
  expect(siteInWords('https://www.xn--bcher-kva.example/a')).toBe('bücher.example (xn--bcher-kva.example)')
})
