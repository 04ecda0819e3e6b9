import { describe, expect, test } from 'vitest'
import { isBusinessDay, endOfBusinessDay } from './business-days.ts'
import { businessCalendar, checkHolidays } from './holidays.server.ts'

const american = await businessCalendar({ holidays: 'US', timeZone: 'America/New_York' })
const bavarian = await businessCalendar({ holidays: 'DE-BY', timeZone: 'Europe/Berlin' })

describe('a business day', () => {
  test.each([
    ['2026-11-23', true, 'a Monday'],
    ['2026-11-21', false, 'a Saturday'],
    ['2026-11-22', false, 'a Sunday'],
    ['2026-11-26', false, 'Thanksgiving'],
    ['2026-11-27', true, 'the Friday after it, which is no public holiday'],
    ['2027-07-05', false, 'the Monday after Independence Day on a Sunday'],
    ['2026-07-03', false, 'the Friday before Independence Day on a Saturday'],
    ['2027-12-31', false, 'New Year of the next year, observed in this one'],
    ['2026-06-19', false, 'Juneteenth'],
    ['2026-05-01', true, 'a holiday of other countries'],
  ])('in the United States: %s is %s, %s', (day, isOpen) => {
    expect(isBusinessDay(day, american)).toBe(isOpen)
  })

  test.each([
    ['2026-01-06', false, 'Epiphany, which other parts of Germany do not keep'],
    ['2026-04-03', false, 'Good Friday'],
    ['2026-10-02', true, 'the Friday before a holiday on a Saturday: it is not made up for'],
    ['2026-10-05', true, 'the Monday after it'],
    ['2026-12-24', true, 'Christmas Eve'],
    ['2026-11-26', true, 'a holiday of other countries'],
  ])('in Bavaria: %s is %s, %s', (day, isOpen) => {
    expect(isBusinessDay(day, bavarian)).toBe(isOpen)
  })
})

describe('a deadline in business days', () => {
  const at = (instant: string, count: number, calendar = american): string =>
    new Date(endOfBusinessDay(Date.parse(instant), count, calendar)).toISOString()

  test('ends with the day; that on which it begins does not count', () => {
    expect(at('2026-11-23T15:00:00Z', 1)).toBe('2026-11-25T05:00:00.000Z')
    expect(at('2026-11-24T04:59:00Z', 1)).toBe('2026-11-25T05:00:00.000Z')
    expect(at('2026-11-24T05:00:00Z', 1)).toBe('2026-11-26T05:00:00.000Z')
  })

  test('leaves out weekends and holidays', () => {
    // From a Wednesday: Thanksgiving, a Friday, a weekend, a Monday.
    expect(at('2026-11-25T15:00:00Z', 2)).toBe('2026-12-01T05:00:00.000Z')
    expect(at('2026-11-28T15:00:00Z', 1)).toBe('2026-12-01T05:00:00.000Z')
  })

  test('of ten and of fourteen days, over Thanksgiving and over Christmas', () => {
    expect(at('2026-11-23T15:00:00Z', 10)).toBe('2026-12-09T05:00:00.000Z')
    expect(at('2026-12-21T15:00:00Z', 14)).toBe('2027-01-13T05:00:00.000Z')
  })

  test('goes by the clock of the site, also where it is changed', () => {
    expect(at('2026-03-06T20:00:00Z', 1)).toBe('2026-03-10T04:00:00.000Z')
    expect(at('2026-10-30T12:00:00Z', 5, bavarian)).toBe('2026-11-06T23:00:00.000Z')
    // A Monday in Tokyo is still a Sunday in New York.
    const inTokyo = { ...american, timeZone: 'Asia/Tokyo' }
    expect(at('2026-11-22T16:00:00Z', 1, inTokyo)).toBe('2026-11-24T15:00:00.000Z')
  })

  test('is refused where a calendar has no open day', () => {
    expect(() => at('2026-11-23T15:00:00Z', 1, { ...american, isHoliday: () => true })).toThrow(/no business days/)
  })
})

test('a calendar that there is not stops the start', async () => {
  for (const holidays of ['US', 'US-LA', 'DE', 'DE-BY', 'DE-BY-A', 'JP']) await checkHolidays({ holidays })
  for (const holidays of ['XX', 'US-XX', 'DE-BY-XX', 'US-LA-XX'])
    await expect(checkHolidays({ holidays }), holidays).rejects.toThrow(/^HOLIDAYS must be a country/)
})
