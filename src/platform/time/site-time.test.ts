import { describe, expect, it, test } from 'vitest'
import { addDays, dayOf, isDay, minuteOf } from './site-time.ts'
import { startOfDay } from './starts.ts'

describe('startOfDay', () => {
  it.each([
    ['2024-03-05', 'UTC', '2024-03-05T00:00:00.000Z'],
    ['2024-03-05', 'America/Sao_Paulo', '2024-03-05T03:00:00.000Z'],
    ['2024-07-01', 'Europe/Lisbon', '2024-06-30T23:00:00.000Z'],
    ['2024-03-10', 'America/New_York', '2024-03-10T05:00:00.000Z'],
    ['2024-03-11', 'America/New_York', '2024-03-11T04:00:00.000Z'],
    ['2024-11-04', 'America/New_York', '2024-11-04T05:00:00.000Z'],
    ['2024-01-01', 'Pacific/Kiritimati', '2023-12-31T10:00:00.000Z'],
    ['2024-01-01', 'Asia/Kathmandu', '2023-12-31T18:15:00.000Z'],
  ])('of %s in %s is %s', (day, zone, instant) => {
    expect(new Date(startOfDay(day, zone)).toISOString()).toBe(instant)
  })

  it('is where the clocks land when they skip midnight', () => {
    // In 2018 São Paulo went from 23:59:59 on 3 November straight to 01:00 on the 4th.
    expect(new Date(startOfDay('2018-11-04', 'America/Sao_Paulo')).toISOString()).toBe('2018-11-04T03:00:00.000Z')
  })

  it('is the first instant of every day of a year with changes of clocks', () => {
    for (const zone of ['Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Beirut']) {
      for (let day = '2018-01-01'; day < '2019-01-01'; day = addDays(day, 1)) {
        const start = startOfDay(day, zone)
        expect(dayOf(start, zone), `${zone} ${day}`).toBe(day)
        expect(dayOf(start - 1, zone), `${zone} ${day}`).toBe(addDays(day, -1))
      }
    }
  })

  it.each(['2024-02-30', '2024-13-01', 'today', '2024-1-1', ''])('refuses %j', (day) => {
    expect(() => startOfDay(day, 'UTC')).toThrow(RangeError)
  })
})

describe('dayOf', () => {
  it('follows the zone', () => {
    const instant = Date.parse('2024-03-05T01:30:00Z')
    expect(dayOf(instant, 'UTC')).toBe('2024-03-05')
    expect(dayOf(instant, 'America/Los_Angeles')).toBe('2024-03-04')
    expect(dayOf(instant, 'Asia/Tokyo')).toBe('2024-03-05')
  })
})

test('minuteOf says the minute of the zone', () => {
  const instant = Date.parse('2024-03-05T01:30:59Z')
  expect(minuteOf(instant, 'UTC')).toBe('2024-03-05 01:30')
  expect(minuteOf(instant, 'America/Los_Angeles')).toBe('2024-03-04 17:30')
  expect(minuteOf(instant, 'Asia/Kathmandu')).toBe('2024-03-05 07:15')
})

test('isDay knows the days that may be typed', () => {
  expect(['1000-01-01', '2024-02-29', '9998-12-31'].filter((day) => !isDay(day))).toEqual([])
  const others = ['0000-01-01', '0999-12-31', '9999-01-01', '2023-02-29', '2024-13-01', '2024-1-1', 'today', '']
  expect(others.filter(isDay)).toEqual([])
})
