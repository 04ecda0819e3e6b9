import { expect, test } from 'vitest'
import { vipLinksOf } from './vip-links.ts'

const labels = ['Mega', 'Gofile', 'Pixeldrain']
const none = { link: null, linkG: null, linkP: null, linkMV1: null, linkMV2: null, linkMV3: null }

test('each of the six slots has the label of its host, the second ones with a word', () => {
  const links = vipLinksOf(
    {
      link: 'https://mega.nz/a',
      linkG: 'https://gofile.io/b',
      linkP: 'https://pixeldrain.com/c',
      linkMV1: 'https://mega.nz/d',
      linkMV2: 'https://pixeldrain.com/e',
      linkMV3: 'http://elsewhere.example/f',
    },
    labels,
  )
  expect(links.map(({ slot, label, url }) => [slot, label, url])).toEqual([
    ['link', 'Mega', 'https://mega.nz/a'],
    ['linkG', 'Gofile', 'https://gofile.io/b'],
    ['linkP', 'Pixeldrain', 'https://pixeldrain.com/c'],
    ['linkMV1', 'Mega alternate', 'https://mega.nz/d'],
    ['linkMV3', 'Gofile alternate', 'http://elsewhere.example/f'],
    ['linkMV2', 'Pixeldrain alternate', 'https://pixeldrain.com/e'],
  ])
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://mega.nz/x', 'mega.nz/x', ''])('%j is no link', (link) => {
  expect(vipLinksOf({ ...none, link }, labels)).toEqual([])
})
