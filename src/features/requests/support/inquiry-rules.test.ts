import { expect, test } from 'vitest'
import { faultOfInquiry, tidyInquiry } from './inquiry-rules.ts'

const whole = { name: 'Jane Reader', email: 'jane@readers.example', message: 'Where is the library?' }

test('an inquiry that says who asks what is taken', () => {
  expect(faultOfInquiry(whole)).toBeUndefined()
})

test.each(['name', 'email', 'message'] as const)('without a %s it is not', (field) => {
  expect(faultOfInquiry({ ...whole, [field]: ' \n' })).toEqual({ message: 'Please fill in all the fields.' })
})

test.each([
  'jane',
  'jane@readers',
  'a@b.example,c@d.example',
  'Jane <jane@readers.example>',
  'jane@readers.example\nBcc: x',
])('an address like %j cannot be answered', (email) => {
  expect(faultOfInquiry({ ...whole, email })?.field).toBe('email')
})

test.each([
  ['name', 121],
  ['message', 5_001],
] as const)('a %s of %i characters is too long', (field, length) => {
  expect(faultOfInquiry({ ...whole, [field]: 'x'.repeat(length) })?.field).toBe(field)
  expect(faultOfInquiry({ ...whole, [field]: 'x'.repeat(length - 1) })).toBeUndefined()
})

test.each([
  ['name', '\u202eenaJ'],
  ['name', 'Ja\u200bne'],
  ['email', 'ja\u200dne@readers.example'],
  ['email', 'jane@readers.example\u2069'],
] as const)('a %s with characters that nobody sees is refused: %j', (field, value) => {
  expect(faultOfInquiry({ ...whole, [field]: value })?.field).toBe(field)
})

test('a name may have the joiners that its script needs', () => {
  expect(faultOfInquiry({ ...whole, name: 'می\u200cخواهم' })).toBeUndefined()
})

test('a name stands on one line, a message keeps its lines', () => {
  expect(tidyInquiry({ ...whole, name: ' Jane\r\nReader ', message: 'one\r\ntwo\n' })).toEqual({
    ...whole,
    message: 'one\ntwo',
  })
})
