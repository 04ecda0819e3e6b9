import { expect, test } from 'vitest'
import { differencesIn, providerName } from './gateway-words.ts'

const settings = { provider: 'local', account: '', publicKey: '', raw: false, waitSeconds: 5, version: 1 } as const

test('what somebody else has saved meanwhile is told field by field, as it is saved', () => {
  expect(differencesIn(settings, { ...settings, version: 2 })).toEqual([])
  const saved = {
    provider: 'linkvertise',
    account: '7',
    publicKey: 'MII',
    raw: true,
    waitSeconds: 9,
    version: 2,
  } as const
  expect(differencesIn(settings, saved)).toEqual([
    'Provider: Linkvertise',
    'Wait: 9 s',
    'Publisher id: 7',
    'Public key: another one',
    'Addresses: not percent-encoded',
  ])
  expect(differencesIn(saved, settings)).toContain('Publisher id: none')
})

test('providers have their names', () => {
  expect(['local', 'linkvertise', 'off'].map((provider) => providerName(provider as 'local'))).toEqual([
    'local',
    'Linkvertise',
    'off',
  ])
})
