import { expect, test } from 'vitest'
import { isStray } from './stray-clicks.ts'

const [publish, tab] = [{} as Element, {} as Element]

test('The second click of a double click is stray where something else has come under the pointer', () => {
  const before = { control: publish, words: 'Publish' }
  expect(isStray({ control: publish, words: 'Publish' }, before)).toBe(false)
  expect(isStray({ control: tab, words: 'Western' }, before)).toBe(true)
})

test('It is stray where the same button means something else by now', () => {
  expect(isStray({ control: publish, words: 'Take it off the site?' }, { control: publish, words: 'Unpublish' })).toBe(
    true,
  )
})

test('Text may be chosen with a double click, also where a button stood', () => {
  expect(isStray({ control: null, words: null }, { control: publish, words: 'Close' })).toBe(false)
  expect(isStray({ control: publish, words: 'Publish' }, undefined)).toBe(false)
})
