import { expect, test } from 'vitest'
import { rendered } from '../../../../tests/harness/rendered.ts'
import { UserText } from './user-text.tsx'

test('a name in which one word mixes scripts has a mark, with words for a screen reader', () => {
  const { html, text } = rendered(<UserText className="people-email">{'J\u0430ne Reader'}</UserText>)
  expect(text).toContain('mixed scripts : one word has letters of Latin and Cyrillic')
  expect(html).toMatch(/^<span class="people-email"><bdi>J\u0430ne Reader<\/bdi>/)
})

test('an honest name has none', () => {
  expect(rendered(<UserText>Анна Lund</UserText>).text).toBe('Анна Lund')
})
