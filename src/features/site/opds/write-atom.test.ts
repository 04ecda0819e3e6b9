import { expect, test } from 'vitest'
import { atPage, pagesAround, type AcquisitionFeed, type Publication } from './feed.ts'
import { mediaTypeOf } from './media-types.ts'
import { writeAtom } from './write-atom.server.ts'
import { writeOpds2 } from './write-opds2.server.ts'

const site = { brandName: 'A & B', publicUrl: 'https://library.example' }
const publication: Publication = {
  id: '018f3f3e-0000-7000-8000-000000000000',
  slug: 'a-work',
  title: 'A <work> & "more"\u0007\ud800',
  creators: [],
  category: 'Poetry',
  tags: [],
  languages: [],
  year: 98,
  series: undefined,
  description: undefined,
  rights: 'Public domain',
  licence: null,
  published: '2024-01-01T00:00:00.000Z',
  updated: '2024-01-02T00:00:00.000Z',
  page: '/western/a-work',
  cover: { small: { href: '/c', type: 'image/webp' }, photo: { href: '/c.jpg', type: 'image/jpeg' } },
  downloads: [{ href: 'https://files.example/?a=1&b=2', type: 'application/pdf', title: 'PDF', size: 0 }],
}
const feed: AcquisitionFeed = {
  kind: 'acquisition',
  address: '/entries?creator=A%26B',
  title: 'Newest',
  up: '',
  updated: publication.updated,
  page: 2,
  pages: 3,
  total: 250,
  perPage: 100,
  publications: [publication],
}

test('a title may hold anything: XML gets it escaped, and nothing that XML does not know', () => {
  const xml = writeAtom(feed, site)
  expect(xml).toContain('<title>A &lt;work&gt; &amp; &quot;more&quot;\ufffd\ufffd</title>')
  expect(xml).toContain('href="https://files.example/?a=1&amp;b=2" type="application/pdf" title="PDF" length="0"/>')
  expect(xml).toContain('<dc:issued>0098</dc:issued>')
  expect(xml).toContain('<author><name>A &amp; B</name>')
})

test('both versions lead to the same pages', () => {
  expect(pagesAround(feed)).toEqual([
    ['first', '/entries?creator=A%26B'],
    ['previous', '/entries?creator=A%26B'],
    ['next', '/entries?creator=A%26B&page=3'],
    ['last', '/entries?creator=A%26B&page=3'],
  ])
  expect(atPage('/creators', 2)).toBe('/creators?page=2')
  const { links } = JSON.parse(writeOpds2(feed)) as { links: { rel: string; href: string }[] }
  for (const [rel, address] of pagesAround(feed)) {
    expect(links).toContainEqual({ rel, href: `/opds/v2${address}`, type: 'application/opds+json' })
    expect(writeAtom(feed, site)).toContain(`<link rel="${rel}" href="/opds${address.replaceAll('&', '&amp;')}"`)
  }
})

test.each([
  ['epub', 'application/epub+zip'],
  [' PDF ', 'application/pdf'],
  ['A scroll', 'text/html'],
  [undefined, 'text/html'],
])('the format %j has the type %s', (format, type) => {
  expect(mediaTypeOf(format)).toBe(type)
})
