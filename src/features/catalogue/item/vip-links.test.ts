import { expect, test } from 'vitest'
import { vipLinksOf } from './vip-links.ts'

const hosts = [
  { label: 'Mega', domains: ['mega.nz'] },
  { label: 'Gofile', domains: ['gofile.io'] },
  { label: 'Pixeldrain', domains: ['pixeldrain.com'] },
]
const none = { link: null, linkG: null, linkP: null, linkMV1: null, linkMV2: null, linkMV3: null }

test('each of the six slots names the host to which its link leads, the second ones with a word', () => {
  const links = vipLinksOf(
    {
      link: 'https://mega.nz/a',
      linkG: 'https://gofile.io/b',
      linkP: 'https://pixeldrain.com/c',
      linkMV1: 'https://mega.nz/d',
      linkMV2: 'https://pixeldrain.com/e',
      linkMV3: 'http://elsewhere.example/f',
    },
    hosts,
  )
  expect(links.map(({ slot, label, url }) => [slot, label, url])).toEqual([
    ['link', 'Mega', 'https://mega.nz/a'],
    ['linkG', 'Gofile', 'https://gofile.io/b'],
    ['linkP', 'Pixeldrain', 'https://pixeldrain.com/c'],
    ['linkMV1', 'Mega alternate', 'https://mega.nz/d'],
    ['linkMV3', 'elsewhere.example alternate', 'http://elsewhere.example/f'],
    ['linkMV2', 'Pixeldrain alternate', 'https://pixeldrain.com/e'],
  ])
})

test('a link names its own host, whatever slot it is in, and no two have the same name', () => {
  const links = vipLinksOf(
    {
      ...none,
      link: 'https://www.pixeldrain.com/a',
      linkG: 'https://cdn.pixeldrain.com/b',
      linkP: 'https://mega.nz.example.com/c',
      linkMV1: 'https://gofile.io/d',
    },
    hosts,
  )
  expect(links.map(({ slot, label }) => [slot, label])).toEqual([
    ['link', 'Pixeldrain'],
    ['linkG', 'Pixeldrain 2'],
    ['linkP', 'mega.nz.example.com'],
    ['linkMV1', 'Gofile alternate'],
  ])
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://mega.nz/x', 'mega.nz/x', ''])('%j is no link', (link) => {
  expect(vipLinksOf({ ...none, link }, hosts)).toEqual([])
})
