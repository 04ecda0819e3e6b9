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
])('%s stands in its own letters', (host) => {
  expect(hostInWords(domainToASCII(host))).toBe(host)
})

test.each(['раураl.com', 'пример.com', 'gооgle.example', 'ωmega.nz'])('%s has its encoded form beside it', (host) => {
  const encoded = domainToASCII(host)
  expect(encoded).toContain('xn--')
  expect(hostInWords(encoded)).toBe(`${host} (${encoded})`)
})

test('what encodes nothing stays as it is, and an address is called by its host', () => {
  for (const host of ['xn--a_.example', 'xn--99999999999.example', 'xn--bcher-kv.example'])
    expect(hostInWords(host)).toBe(host)
  expect(siteInWords('https://www.xn--bcher-kva.example/a')).toBe('bücher.example')
})
