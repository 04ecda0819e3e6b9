import { expect, test } from 'vitest'
import { readFields } from './form-fields.ts'

const read = (body: string, ...names: string[]) => readFields(Buffer.from(body), names)

test('the fields of a form are decoded, of each name the first', () => {
  expect(read('a=1+2&b=%C3%A4&a=3&c=x=y', 'a', 'b', 'c')).toEqual({ a: '1 2', b: 'ä', c: 'x=y' })
  expect(read('%61=1&b=ä&c', 'a', 'b', 'c')).toEqual({ a: '1', b: 'ä', c: '' })
  expect(read('', 'a')).toEqual({})
})

test('what a form does not have is passed over', () => {
  expect(read(`x=1&${'a'.repeat(300)}=2&?a=3&&a=4&__proto__=5`, 'a')).toEqual({ a: '4' })
  expect(read('?a=1', 'a')).toEqual({})
})

test('a form holds at most 200 fields, empty ones and unknown ones too', () => {
  expect(read(`${'x&'.repeat(199)}a=1`, 'a')).toEqual({ a: '1' })
  for (const body of [`${'x&'.repeat(200)}a=1`, '&'.repeat(201), `${'a=1&'.repeat(200)}b`])
    expect(() => read(body, 'a'), body.slice(0, 10)).toThrow(
      expect.objectContaining({
        status: 413,
        code: 'body.too_large',
        message: 'The form has more than 200 fields. Send fewer at once.',
      }),
    )
})
