import { expect, test } from 'vitest'
import { PasskeyName, proposedPasskeyName } from './passkey-name.ts'

test('A passkey is proposed the name of its device, with a number where that is taken', () => {
  expect(proposedPasskeyName('Chrome on Linux', [])).toBe('Chrome on Linux')
  expect(proposedPasskeyName('Chrome on Linux', [{ name: 'My key' }])).toBe('Chrome on Linux')
  expect(proposedPasskeyName('Chrome on Linux', [{ name: 'chrome on linux' }, { name: 'Chrome on Linux 3' }])).toBe(
    'Chrome on Linux 2',
  )
  expect(proposedPasskeyName('Chrome on Linux', [{ name: 'Chrome on Linux' }, { name: 'Chrome on Linux 2' }])).toBe(
    'Chrome on Linux 3',
  )
})

test('A passkey of a device that nobody knows is proposed a plain name', () => {
  expect(proposedPasskeyName(undefined, [])).toBe('Passkey')
  expect(proposedPasskeyName('Unknown device', [{ name: 'passkey' }])).toBe('Passkey 2')
})

test('A passkey has a name', () => {
  expect(PasskeyName.safeParse({ name: ' \t ' }).error?.issues).toMatchObject([
    { path: ['name'], message: 'Name is required' },
  ])
  expect(PasskeyName.parse({ name: ' Key ' })).toEqual({ name: 'Key' })
})
