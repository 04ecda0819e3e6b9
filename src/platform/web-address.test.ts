import { expect, test } from 'vitest'
import { isWebAddress } from './web-address.ts'

test.each(['https://blog.example', 'http://blog.example/a?b#c', 'HTTPS://blog.example:8080/'])('%s is one', (text) => {
  expect(isWebAddress(text)).toBe(true)
})

test.each([
  'https:evil.example',
  'http:/evil',
  'https:/evil.example',
  'https:///evil.example',
  'https://',
  '//evil.example',
  'https://user@blog.example',
  'https://:pass@blog.example',
  'ftp://blog.example',
  'javascript:alert(1)',
  '',
])('%s is none', (text) => {
  expect(isWebAddress(text)).toBe(false)
})
