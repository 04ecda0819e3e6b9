import { expect, test } from 'vitest'
import { nextDigest, timeZoneOf } from './next-digest.ts'

const next = (after: string, hour: number, timeZone: string, digest: 'daily' | 'weekly' = 'daily'): string =>
  new Date(nextDigest({ digest, hour, timeZone }, Date.parse(after))).toISOString()

test('a daily digest comes at the hour of the reader, today or tomorrow', () => {
  expect(next('2026-11-29T05:00:00Z', 8, 'UTC')).toBe('2026-11-29T08:00:00.000Z')
  expect(next('2026-11-29T08:00:00Z', 8, 'UTC')).toBe('2026-11-30T08:00:00.000Z')
  expect(next('2026-11-29T05:00:00Z', 8, 'America/Sao_Paulo')).toBe('2026-11-29T11:00:00.000Z')
  // The reader's day has begun already.
  expect(next('2026-11-29T20:00:00Z', 8, 'Asia/Tokyo')).toBe('2026-11-29T23:00:00.000Z')
  expect(next('2026-11-29T12:00:00Z', 8, 'Asia/Kathmandu')).toBe('2026-11-30T02:15:00.000Z')
})

test('the hour stays when the clocks change', () => {
  expect(next('2026-03-28T12:00:00Z', 8, 'Europe/Berlin')).toBe('2026-03-29T06:00:00.000Z')
  expect(next('2026-03-27T12:00:00Z', 8, 'Europe/Berlin')).toBe('2026-03-28T07:00:00.000Z')
  expect(next('2026-10-24T12:00:00Z', 8, 'Europe/Berlin')).toBe('2026-10-25T07:00:00.000Z')
})

test('an hour that the clocks skip comes where the gap ends, and one that comes twice has one digest', () => {
  // From 02:00 straight to 03:00.
  expect(next('2026-03-29T00:30:00Z', 2, 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z')
  expect(next('2026-03-29T01:00:00Z', 2, 'Europe/Berlin')).toBe('2026-03-30T00:00:00.000Z')
  // 02:00 to 02:59 come twice.
  expect(next('2026-10-24T12:00:00Z', 2, 'Europe/Berlin')).toBe('2026-10-25T00:00:00.000Z')
  expect(next('2026-10-25T00:00:00Z', 2, 'Europe/Berlin')).toBe('2026-10-26T01:00:00.000Z')
  // At midnight, by half an hour, and a day that is not there at all.
  expect(next('2026-04-23T12:00:00Z', 0, 'Africa/Cairo')).toBe('2026-04-23T22:00:00.000Z')
  expect(next('2026-10-03T12:00:00Z', 2, 'Australia/Lord_Howe')).toBe('2026-10-03T15:30:00.000Z')
  expect(next('2011-12-30T00:00:00Z', 8, 'Pacific/Apia')).toBe('2011-12-30T18:00:00.000Z')
})

test('a weekly digest comes on Mondays, as the reader has them', () => {
  expect(next('2026-11-29T12:00:00Z', 8, 'UTC', 'weekly')).toBe('2026-11-30T08:00:00.000Z')
  expect(next('2026-11-30T08:00:00Z', 8, 'UTC', 'weekly')).toBe('2026-12-07T08:00:00.000Z')
  expect(next('2026-11-29T12:00:00Z', 6, 'Asia/Tokyo', 'weekly')).toBe('2026-11-29T21:00:00.000Z')
})

test('a time zone is a name of the database of zones', () => {
  expect(timeZoneOf('Europe/Berlin')).toBe('Europe/Berlin')
  expect(timeZoneOf('utc')).toBe('UTC')
  for (const wrong of ['', '+02:00', 'Europe/Nowhere', 'Europe/Berlin; drop table', '0', 'x'.repeat(100)])
    expect(timeZoneOf(wrong), wrong).toBeUndefined()
})
