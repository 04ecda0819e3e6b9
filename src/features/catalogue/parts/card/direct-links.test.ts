import { expect, test } from 'vitest'
import { encodePayload } from '../../item/encoding.server.ts'
import { linkSlots } from '../../item/link-slots.ts'
import { linksIn } from './direct-links.ts'

const none = Object.fromEntries(linkSlots.map((slot) => [slot, null]))

test('the links of an answer are read by slot; what is no web address is none', () => {
  const item = { name: 'A work', link: 'https://mega.nz/a', linkG: null, linkP: '/go/a-work/linkP', link2: 7 }
  expect(linksIn({ data: encodePayload(item) })).toEqual({ ...none, link: 'https://mega.nz/a' })
  expect(linksIn({ data: encodePayload({ linkMV4: 'javascript:alert(1)' }) })).toEqual(none)
})

test.each([undefined, null, 'text', {}, { data: 5 }, { data: '%%%' }])('%j is no such answer', (answer) => {
  expect(linksIn(answer)).toBeUndefined()
})
