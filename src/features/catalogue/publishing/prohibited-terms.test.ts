import { expect, it } from 'vitest'
import { ProhibitedTerms } from './prohibited-terms.ts'

const terms = new ProhibitedTerms(['leaked', 'hidden camera'])

it.each([
  'Leaked',
  'LEÁKED tapes',
  'The (leaked) tape',
  'a hidden—camera',
  'le\u{e0020}aked',
  'l\u034fe\u180ea\u2066k\u{e0061}ed',
  'hidden\u3164camera',
  'leaked\u1160tape',
])('finds a term in %j', (text) => {
  expect(terms.find(text)).toMatch(/^(leaked|hidden camera)$/)
})

it.each(['Bleakedley', 'hidden cameras', 'camera hidden', 'le aked'])('finds none in %j', (text) => {
  expect(terms.find(text)).toBeUndefined()
})
