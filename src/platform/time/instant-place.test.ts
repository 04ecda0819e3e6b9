import { expect, test } from 'vitest'
import { readInstantPlace, writeInstantPlace } from './instant-place.ts'

const place = { at: '2024-02-29T23:59:59.123456Z', id: '018f2f60-7d4b-7c3e-9a51-0c2f1b6d8e90' }

test('a place is read as it was written', () => {
  expect(readInstantPlace(writeInstantPlace(place))).toEqual(place)
})

test.each([
  '',
  'soon',
  `2024-02-30T00:00:00.000000Z_${place.id}`,
  `2024-02-29T24:00:00.000000Z_${place.id}`,
  `2024-02-29T00:00:00.000Z_${place.id}`,
  `${place.at}_1`,
  place.at,
])('%j is none', (text) => {
  expect(readInstantPlace(text)).toBeUndefined()
})
