import { expect, test } from 'vitest'
import { maxConnectionsOf } from './node-server.ts'

test.each([
  [256, 128],
  [400, 200],
  [1_024, 512],
  [4_096, 3_584],
  [1_048_576, 10_000],
])('of %i descriptors, %i are for connections', (descriptors, connections) => {
  expect(maxConnectionsOf(descriptors)).toBe(connections)
})
