import { expect, test } from 'vitest'
import { apartFromAddresses, withAddresses } from './stood-at.ts'

test('The addresses of a counter-notice are read as they were typed, whatever stands in the explanation', () => {
  const addresses = ['/western/a-book', 'https://library.example/western/a-map']
  for (const explanation of ['Mistaken.', 'Mistaken.\n\nIt stood at:\n/western/no-address', ''])
    expect(apartFromAddresses(withAddresses(explanation, addresses))).toEqual({ explanation, addresses })
  expect(apartFromAddresses('No address.')).toEqual({ explanation: 'No address.', addresses: [] })
})
