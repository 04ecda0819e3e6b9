import { expect, test } from 'vitest'
import { cpuMsOf } from '../../../../tests/harness/cpu-time.ts'
import { holdsWebAddress } from './web-address.ts'

test.each([
  'https://elsewhere.example/file',
  'look at HTTP://Elsewhere.example',
  'magnet://x',
  'www.elsewhere.example',
  'elsewhere.com',
  'files.elsewhere.co.uk',
  'get it (elsewhere.com) now',
  't.me/somebody',
  'elsewhere[.]com',
  'elsewhere (dot) com',
  'ｅｌｓｅｗｈｅｒｅ．ｃｏｍ',
  'elsewhere。com',
  'elsewhere.сом',
  'else\u200bwhere.c\u00adom',
  'somebody@elsewhere.org',
  'at 203.0.113.7',
  'слон.ru',
  'elsewhere.site',
  'ELSEWHERE.COM',
  'FREEVIDS.CLUB',
  'freevids.ai',
  'сайт.рф',
  'freevids dot com',
  'free vids .com',
  'goo.gl',
  'freevids.it',
  'freevids.c0m',
  'freevids•com',
  'freevids〔.〕com',
  'hxxp:x',
  'somebody@elsewhere.nowhere',
  'It is at 1.1.1.1.',
  'Startup.com',
])('an address is found in %j', (text) => {
  expect(holdsWebAddress(text)).toBe(true)
})

test.each([
  'A Study in Scarlet',
  'Mr.Robot, Dr.Strange and St.Louis',
  'I want it.It is good.',
  'A great film.Live at the theatre.Top quality.De nada.',
  'Vol.2, No.3, p.17',
  'Version 1.2.3 of 2024',
  'By Wilkie Collins, 1866. In English.',
  'and/or',
  '24/7',
  'Either/Or. A Fragment of Life',
  '紅樓夢。曹雪芹',
  'R.U.R.',
  'U.S.A.',
  'It cost 9.99, then 3.50',
  'Version 1.10.2.15.7',
  'Um filme. Com legendas',
  'The dot is red',
  'Dr.No',
])('none is found in %j', (text) => {
  expect(holdsWebAddress(text)).toBe(false)
})

test.each(['㌖', '㍿', 'ﬃ', 'a', '!', '$+', 's$+', '1.', '. ', 'a@', 'a-'])(
  '%j, two thousand times, is looked through in no time',
  (text) => {
    for (const written of [text.repeat(2_000), `A title ${text.repeat(110)}`]) {
      expect(cpuMsOf(() => expect(holdsWebAddress(written)).toBe(false))).toBeLessThan(300)
    }
  },
)
