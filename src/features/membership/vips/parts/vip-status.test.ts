import { expect, test } from 'vitest'
import { hasEnded, vipStatusOf, vipTints } from './vip-status.ts'

const now = Date.parse('2024-03-15T12:00:00Z')
const user = { id: '1', name: 'Jane', email: 'jane@readers.example' }

test.each([
  ['Disabled', 'is-off', { vipDisabled: true, vipExpirationDate: '2030-01-01T00:00:00.000Z' }, false],
  ['Disabled', 'is-off', { vipDisabled: true, vipExpirationDate: 'Not defined' as const }, true],
  ['Expired', 'is-danger', { vipDisabled: false, vipExpirationDate: 'Not defined' as const }, true],
  ['Expired', 'is-danger', { vipDisabled: false, vipExpirationDate: '2024-03-15T12:00:00.000Z' }, true],
  ['Expired', 'is-danger', { vipDisabled: false, vipExpirationDate: 'nonsense' }, true],
  ['Active', 'is-good', { vipDisabled: false, vipExpirationDate: '2024-03-15T12:00:00.001Z' }, false],
] as const)('is %s, with the tint %s, for %j', (status, tint, fields, isOver) => {
  expect(vipStatusOf({ ...user, ...fields }, now)).toBe(status)
  expect(vipTints[status]).toBe(tint)
  expect(hasEnded(fields.vipExpirationDate, now)).toBe(isOver)
})
