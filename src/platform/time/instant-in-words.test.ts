import { expect, test } from 'vitest'
import { dayInZone, instantInZone } from './instant-in-words.ts'

const instant = new Date('2024-03-05T23:07:00Z')

test('An instant is told in words in the zone that is given, and names it', () => {
  expect(instantInZone(instant, 'UTC')).toBe('March 5, 2024 at 11:07 PM (UTC)')
  expect(instantInZone(instant.getTime(), 'Asia/Tokyo')).toBe('March 6, 2024 at 8:07 AM (Asia/Tokyo)')
  expect(dayInZone(instant, 'UTC')).toBe('March 5, 2024')
  expect(dayInZone(instant, 'Asia/Tokyo')).toBe('March 6, 2024')
})
