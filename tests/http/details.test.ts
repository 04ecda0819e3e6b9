import { beforeAll, describe, expect, test, vi } from 'vitest'
import { anonymous } from '../../src/features/office/viewer/viewer.ts'
import { anItem, editItem, type ItemOverrides, someItems } from '../harness/items.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'

const links = {
  link: 'https://mega.nz/file/a1',
  link2: 'https://mega.nz/file/a2',
  linkG: 'https://gofile.io/d/b1',
  linkP: 'https://pixeldrain.com/u/c1',
  linkMV1: 'https://mega.nz/file/m1',
  linkMV2: 'https://pixeldrain.com/u/m2',
  linkMV3: 'https://gofile.io/d/m3',
  linkMV4: 'https://mega.nz/file/m4',
}

const works: ItemOverrides[] = [
  { name: 'An Asian Work', contentType: 'asian', category: 'Literature', postDate: '2024-03-05', ...links },
  { name: '紅樓夢', contentType: 'asian', category: 'Literature', slug: 'hong-lou-meng', postDate: '2024-03-04' },
  { name: 'A Western Work', contentType: 'western', category: 'Film', postDate: '2024-03-05', ...links },
  { name: 'Asian but Banned', contentType: 'asian', category: 'Banned', postDate: '2024-03-03' },
  { name: 'Asian but Unknown', contentType: 'asian', category: 'Unknown', postDate: '2024-03-03' },
  { name: 'Western but Banned', contentType: 'western', category: 'Banned', postDate: '2024-03-03' },
  { name: 'Banned Western', contentType: 'banned', region: 'western', category: 'Banned', postDate: '2024-03-02' },
  { name: 'Banned Asian', contentType: 'banned', region: 'asian', category: 'Banned', postDate: '2024-03-02' },
  { name: 'Unknown Western', contentType: 'unknown', region: 'western', category: 'Unknown', postDate: '2024-03-01' },
]
const hidden: (ItemOverrides & { name: string })[] = [
  { name: 'Secret Vip', contentType: 'vip', region: 'western', category: 'VIP Content', postDate: '2024-03-05' },
  { name: 'Secret Vip Asian', contentType: 'vip-asian', category: 'Literature', postDate: '2024-03-05' },
  { name: 'Secret Vip Western', contentType: 'vip-western', category: 'Literature', postDate: '2024-03-05' },
  { name: 'Secret Vip Banned', contentType: 'vip-banned', region: 'asian', category: 'Banned', postDate: '2024-03-05' },
  {
    name: 'Secret Vip Unknown',
    contentType: 'vip-unknown',
    region: 'western',
    category: 'Unknown',
    postDate: '2024-03-05',
  },
  { name: 'Secret Draft', contentType: 'asian', category: 'Literature', postDate: '2024-03-05', status: 'draft' },
  {
    name: 'Secret Restricted',
    contentType: 'asian',
    category: 'Literature',
    postDate: '2024-03-05',
    status: 'restricted',
  },
  { name: 'Secret Future', contentType: 'asian', category: 'Literature', postDate: '2024-03-16' },
]

// The links of the gateway have tests of their own.
const server = serverOfFile({ now: '2024-03-15T12:00:00Z', env: { GATEWAY_PROVIDER: 'off' } })

beforeAll(async () => {
  await someItems(server.app, [...works, ...hidden])
})

const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-')

describe('the endpoints of free items', () => {
  test('give an item with every link in its slot, as one encoded text', async () => {
    const { status, item } = await server.item('/asiancontent/an-asian-work')
    expect(status).toBe(200)
    expect(item).toMatchObject({
      name: 'An Asian Work',
      slug: 'an-asian-work',
      category: 'Literature',
      contentType: 'asian',
      region: 'asian',
      postDate: '2024-03-05T00:00:00.000Z',
      ...links,
    })
  })

  test('keep a name in any script whole', async () => {
    expect((await server.item('/asiancontent/hong-lou-meng')).item).toMatchObject({ name: '紅樓夢' })
  })

  test.each([
    ['/asiancontent/an-asian-work', 200],
    ['/westerncontent/an-asian-work', 404],
    ['/westerncontent/a-western-work', 200],
    ['/asiancontent/a-western-work', 404],
    ['/asiancontent/banned-asian', 200],
    ['/westerncontent/banned-asian', 404],
    ['/westerncontent/banned-western', 200],
    ['/asiancontent/banned-western', 404],
    ['/westerncontent/unknown-western', 200],
  ])('hold the free types of their own region: %s answers %i', async (path, status) => {
    expect((await server.call(path)).status).toBe(status)
  })

  test.each(hidden.map((work) => [slugOf(work.name)]))('%s is not there, at either endpoint', async (slug) => {
    for (const endpoint of ['asiancontent', 'westerncontent']) {
      const answer = await server.call(`/${endpoint}/${slug}`)
      const absent = await server.call(`/${endpoint}/no-such-slug`)
      expect(answer.status).toBe(404)
      expect(answer.text).not.toMatch(/Secret/)
      // Nothing tells a hidden item from one that never was, but for the slug that the caller sent.
      expect(answer.text.replaceAll(slug, 'no-such-slug')).toBe(absent.text)
    }
  })

  test('refuse a bearer that is not valid', async () => {
    const headers = { authorization: 'Bearer nonsense' }
    expect((await server.call('/asiancontent/an-asian-work', { headers })).status).toBe(401)
  })

  test.each(['%', '..%2f..%2fetc%2fpasswd', 'a%00b', '%E7%B4', 'UPPER', 'x'.repeat(3_000)])(
    'a slug that cannot be (%#) is not found, and nothing breaks',
    async (slug) => {
      const answer = await server.call(`/asiancontent/${slug}`)
      expect([400, 404, 414]).toContain(answer.status)
    },
  )

  test('show an edit at once', async () => {
    const item = await anItem(server.app, { name: 'Before', contentType: 'asian', link: 'https://mega.nz/file/old' })
    expect((await server.item('/asiancontent/before')).item).toMatchObject({ name: 'Before' })
    expect((await server.request('/asian/before')).text).toContain('https://mega.nz/file/old')
    await editItem(server.app, item, { name: 'After', contentType: 'asian', link: 'https://mega.nz/file/new' })
    expect((await server.item('/asiancontent/before')).item).toMatchObject({ name: 'After', slug: 'before' })
    const page = (await server.request('/asian/before')).text
    expect(page).toContain('https://mega.nz/file/new')
    expect(page).not.toContain('https://mega.nz/file/old')
    expect((await server.search('search=after')).items).toHaveLength(1)
    expect((await server.search('search=before')).items).toHaveLength(0)
  })
})

describe('an item that was asked for before', () => {
  const requestedTwice = async (path: string): Promise<void> => {
    for (let i = 0; i < 2; i += 1) expect((await server.call(path)).status).toBe(200)
  }

  test('comes out of memory, the same in bytes and headers', async () => {
    await anItem(server.app, { name: 'Asked Again', contentType: 'asian', ...links })
    const first = await server.call('/asiancontent/asked-again')
    const find = vi.spyOn(server.app.listing, 'findItem')
    const again = await server.call('/asiancontent/asked-again')
    const unchanged = await server.call('/asiancontent/asked-again', {
      headers: { 'if-none-match': first.headers.etag ?? '' },
    })
    expect(find).not.toHaveBeenCalled()
    find.mockRestore()
    expect(again.bytes).toEqual(first.bytes)
    const { date, 'x-request-id': id, ...ofFirst } = first.headers
    expect(again.headers).toMatchObject(ofFirst)
    expect(again.headers['x-request-id']).not.toBe(id)
    expect(date).toBeTruthy()
    expect(unchanged.status).toBe(304)
  })

  test('is read once for many who ask at the same time', async () => {
    await anItem(server.app, { name: 'Asked by Many', contentType: 'asian' })
    const { listing } = server.app
    const found = await Promise.all(Array.from({ length: 20 }, () => listing.findItem('asked-by-many', anonymous)))
    expect(found[0]?.item.name).toBe('Asked by Many')
    expect(new Set(found).size).toBe(1)
  })

  test('is read apart for those who may see more: a VIP does not get what an administrator waits for', async () => {
    const postDate = new Date(server.clock.now() + 86_400_000).toISOString()
    await anItem(server.app, { name: 'Asked Ahead', contentType: 'asian', postDate })
    const { listing } = server.app
    const [ofAdmin, ofVip, ofNobody] = await Promise.all([
      listing.findItem('asked-ahead', { ...anonymous, roles: new Set(['admin']) }),
      listing.findItem('asked-ahead', { ...anonymous, roles: new Set(['vip']) }),
      listing.findItem('asked-ahead', anonymous),
    ])
    expect([ofAdmin?.item.name, ofVip, ofNobody]).toEqual(['Asked Ahead', undefined, undefined])
  })

  test('still asks for the client key, a bearer that is valid and its own region', async () => {
    const path = '/asiancontent/an-asian-work'
    await requestedTwice(path)
    expect((await server.request(path)).status).toBe(401)
    expect((await server.call(path, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(401)
    expect((await server.call('/westerncontent/an-asian-work')).status).toBe(404)
    expect((await server.call(`${path}/`)).status).not.toBe(500)
  })

  test('is gone with the item, by a write or by time alone, and shows each edit', async () => {
    await using own = await openTestServer({ now: '2024-03-15T12:00:00Z' })
    const overrides: ItemOverrides = { name: 'Fleeting', contentType: 'asian', validTo: '2999-01-01' }
    const fleeting = await anItem(own.app, overrides)
    const call = async () => own.call('/asiancontent/fleeting')
    await call()
    expect((await call()).status).toBe(200)
    await editItem(own.app, fleeting, { ...overrides, name: 'Fleeting, renamed' })
    for (let i = 0; i < 2; i += 1)
      expect((await own.item('/asiancontent/fleeting')).item).toMatchObject({ name: 'Fleeting, renamed' })
    own.clock.set('2999-02-01T12:00:00Z')
    expect((await call()).status).toBe(404)

    const removed = await anItem(own.app, { name: 'Removed', contentType: 'asian' })
    for (let i = 0; i < 2; i += 1) expect((await own.call('/asiancontent/removed')).status).toBe(200)
    await own.app.db.updateTable('items').set({ status: 'removed' }).where('id', '=', removed.id).execute()
    await own.app.listing.catchUp()
    expect((await own.call('/asiancontent/removed')).status).toBe(404)
  })
})

describe('the detail pages', () => {
  test.each([
    ['/asian/an-asian-work', 'An Asian Work'],
    ['/western/a-western-work', 'A Western Work'],
    ['/banned/asian-but-banned', 'Asian but Banned'],
    ['/unknown/asian-but-unknown', 'Asian but Unknown'],
    ['/western/western-but-banned', 'Western but Banned'],
    ['/banned/banned-western', 'Banned Western'],
    ['/unknown/unknown-western', 'Unknown Western'],
  ])('%s shows its item', async (path, name) => {
    const answer = await server.request(path)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(/^text\/html/)
    expect(answer.text).toMatch(new RegExp(`<h1[^>]*>[^<]*${name}`))
    expect(answer.text).toMatch(new RegExp(`<title>[^<]*${name}`))
  })

  test.each([
    ['/western/an-asian-work', '/asian/an-asian-work'],
    ['/banned/an-asian-work', '/asian/an-asian-work'],
    ['/unknown/a-western-work', '/western/a-western-work'],
    ['/asian/asian-but-banned', '/banned/asian-but-banned'],
    ['/asian/asian-but-unknown', '/unknown/asian-but-unknown'],
    ['/banned/western-but-banned', '/western/western-but-banned'],
    ['/western/banned-western', '/banned/banned-western'],
    ['/asian/unknown-western', '/unknown/unknown-western'],
  ])('an item asked at another page than its own moves for good: %s to %s', async (requested, own) => {
    const answer = await server.request(requested)
    expect(answer.status).toBe(301)
    expect(new URL(answer.headers.location ?? '', server.url).pathname).toBe(own)
  })

  test.each(['asian', 'western', 'banned', 'unknown'])('/%s knows nothing of what is hidden', async (page) => {
    for (const { name } of hidden) {
      const answer = await server.request(`/${page}/${slugOf(name)}`)
      expect(answer.status, name).toBe(404)
      expect(answer.headers['content-type']).toMatch(/^text\/html/)
      expect(answer.text).not.toContain(name)
      expect(answer.text).toContain('Content Not Found')
    }
  })

  test.each(['western', 'asian', 'banned', 'unknown'])('/%s says what was not found, with a way back', async (page) => {
    const answer = await server.request(`/${page}/no-such-slug`)
    expect(answer.status).toBe(404)
    expect(readable(answer.text)).toContain(`The ${page} content you're looking for doesn't exist or has been removed.`)
    expect(answer.text).toContain(`href="/${page}"`)
  })

  test('one button a file host, each with its first link', async () => {
    const page = await server.request('/asian/an-asian-work')
    for (const [label, link] of [
      ['Mega', links.link],
      ['Gofile', links.linkG],
      ['Pixeldrain', links.linkP],
    ]) {
      expect(page.text).toContain(`href="${link}"`)
      expect(readable(page.text)).toContain(label)
    }
    for (const other of [links.link2, links.linkMV1, links.linkMV2, links.linkMV3, links.linkMV4]) {
      expect(page.text).not.toContain(`href="${other}"`)
    }
  })

  test('the alternates stand in where a host has no first link, and a host without any has no button', async () => {
    await someItems(server.app, [
      {
        name: 'Alternates',
        contentType: 'western',
        postDate: '2024-03-05',
        link: 'https://mega.nz/file/only',
        linkMV2: links.linkMV2,
        linkMV3: links.linkMV3,
      },
      { name: 'Mega only', contentType: 'western', postDate: '2024-03-05', link: 'https://mega.nz/file/only' },
    ])
    const alternates = await server.request('/western/alternates')
    expect(alternates.text).toContain(`href="${links.linkMV2}"`)
    expect(alternates.text).toContain(`href="${links.linkMV3}"`)
    const single = readable((await server.request('/western/mega-only')).text)
    expect(single).not.toMatch(/Gofile|Pixeldrain/)
  })

  test('the page says the long English date, the category, the badge, the rights and the way to VIP', async () => {
    const text = readable((await server.request('/western/a-western-work')).text)
    expect(text).toContain('March 5, 2024')
    expect(text).toContain('Film')
    expect(text).toContain('WESTERN CONTENT')
    expect(text).toContain('Public domain')
    expect(text).toContain('Upgrade to VIP')
    expect(readable((await server.request('/asian/an-asian-work')).text)).toContain('ASIAN CONTENT')
  })
})

/** The text of a page for a reader: no scripts, no tags, plain apostrophes. */
function readable(html: string): string {
  return html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;|&apos;|’/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
}
