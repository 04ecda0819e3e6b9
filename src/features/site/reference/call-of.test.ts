import { expect, test } from 'vitest'
import { addressOf, bodyIn } from './call-of.ts'

const parameter = { isRequired: false, shape: 'string', description: '' }

test('the address of a call has its values, encoded', () => {
  const parameters = [
    { ...parameter, name: 'id', in: 'path' },
    { ...parameter, name: 'search', in: 'query' },
    { ...parameter, name: 'page', in: 'query' },
  ]
  expect(
    addressOf('/api/items/{id}', parameters, { 'path.id': 'a/b?', 'query.search': 'tea & sand', 'query.page': '' }),
  ).toBe('/api/items/a%2Fb%3F?search=tea+%26+sand')
  expect(addressOf('/api/jobs', [], {})).toBe('/api/jobs')
})

test('a body is a JSON object, or none', () => {
  expect(bodyIn('{"note": "x"}')).toEqual({ note: 'x' })
  expect([bodyIn(undefined), bodyIn('  ')]).toEqual([undefined, undefined])
  expect(['{', '[]', '1', 'null'].map(bodyIn)).toEqual([null, null, null, null])
})
