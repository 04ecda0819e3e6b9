import { expect, test } from 'vitest'
import { failureInWords, keptFailureInWords } from './failure-in-words.ts'

test.each([
  ['paper jam', 'paper jam.'],
  ['first line\nsecond line', 'first line.'],
  [
    '550 5.1.1 <jane@readers.example>: Recipient address rejected',
    '550 5.1.1 (an address): Recipient address rejected.',
  ],
  ['connect to redis://user:secret@cache:6379/1 failed', 'connect to (an address) failed.'],
  ['GET https://api.example/v1/members?key=abc answered 500.', 'GET https://api.example/… answered 500.'],
  ['No such token sk_live_0123456789abcdefghijklmn here', 'No such token … here.'],
  ['unknown 0192c7a4-1234-7abc-8def-0123456789ab', 'unknown ….'],
  ['', 'It gave no reason.'],
])('%j is told as %j', (message, sentence) => {
  expect(failureInWords(new Error(message))).toBe(sentence)
})

test('what the library keeps of an error is read alike', () => {
  expect(keptFailureInWords({ name: 'Error', message: 'paper jam', stack: 'secret' })).toBe('paper jam.')
  expect(keptFailureInWords({ value: { message: 'job timed out' } })).toBe('job timed out.')
  expect(keptFailureInWords({})).toBe('It gave no reason.')
  expect(keptFailureInWords(null)).toBeNull()
})
