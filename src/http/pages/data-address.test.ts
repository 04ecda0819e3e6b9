import { expect, test } from 'vitest'
import { pageAddressOf } from './data-address.ts'

test.each([
  ['/western.data', '/western'],
  ['/western/an-entry.data?_routes=western-detail', '/western/an-entry'],
  ['/western.data?month=03&_routes=western&page=2', '/western?month=03&page=2'],
  ['/_.data', '/'],
  ['/vip/_.data?_routes=vip', '/vip/'],
  ['/western/an-entry_.data', '/western/an-entry_'],
])('the data at %s is that of the page %s', (data, page) => {
  expect(pageAddressOf(new URL(data, 'http://localhost'))).toBe(page)
})
