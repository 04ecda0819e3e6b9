import { expect, test } from 'vitest'
import { blocksIn, linesIn } from './text-blocks.ts'

test('an empty line ends a paragraph, # begins a heading, - the entries of a list', () => {
  expect(blocksIn('\uFEFF# Our house\nBe kind,\nalways.\r\n \r\n- one\n- two\n\n<b>no markup</b>')).toEqual([
    { kind: 'heading', text: 'Our house' },
    { kind: 'paragraph', text: 'Be kind, always.' },
    { kind: 'list', items: ['one', 'two'] },
    { kind: 'paragraph', text: '<b>no markup</b>' },
  ])
})

test('a list has an entry in each line that is not empty', () => {
  expect(linesIn(' one \r\n\n two')).toEqual(['one', 'two'])
})
