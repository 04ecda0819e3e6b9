import { expect, test } from 'vitest'
import { shapeOf } from './shape-of.ts'

test('a schema is written as its type', () => {
  const schema = {
    type: 'object',
    required: ['id', 'kinds'],
    properties: {
      id: { type: 'string', description: 'Its number.' },
      kinds: { type: 'array', items: { enum: ['a', 'b'] } },
      endsAt: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      parts: { type: 'array', items: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } } },
    },
  }
  expect(shapeOf(schema).split('\n')).toEqual([
    '{',
    '  // Its number.',
    '  id: string',
    '  kinds: ("a" | "b")[]',
    '  endsAt?: instant | null',
    '  parts?: {',
    '    n: number',
    '  }[]',
    '}',
  ])
})

test('a text that holds encoded JSON shows what it holds', () => {
  expect(shapeOf({ type: 'string', contentSchema: { type: 'array', items: { type: 'string' } } })).toBe(
    'encoded string[]',
  )
  expect(shapeOf({})).toBe('anything')
  expect(shapeOf({ type: ['string', 'null'] })).toBe('string | null')
  expect(shapeOf({ const: true })).toBe('true')
  expect(shapeOf({ type: 'object' })).toBe('{ … }')
})
