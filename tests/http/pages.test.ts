import { beforeAll, describe, expect, test } from 'vitest'
import { pages as pageList } from '../../src/app/pages.ts'
import { aFullCatalogue } from '../harness/catalogue.ts'
import { someItems } from '../harness/items.ts'
import { fromHtml } from '../harness/rendered.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })

beforeAll(async () => {
  await aFullCatalogue(server.app)
})

/** The addresses of the entries that a page lists, from the top. */
async function rows(path: string): Promise<string[]> {
  const page = await server.request(path)
  expect(page.status, path).toBe(200)
  return [...page.text.matchAll(/<a class=(?:asian|western|banned|unknown|vip) href="([^"]+)"/g)].map(
    ([, href]) => href as string,
  )
}

describe('a listing', () => {
  test('of a region shows its own type only, 300 entries at a time', async () => {
    const western = await rows('/western')
    expect(western).toHaveLength(300)
    expect(western.filter((href) => !href.startsWith('/western/'))).toEqual([])
    expect(await rows('/asian')).toEqual([
      '/asian/hong-lou-meng',
      expect.stringMatching(/^\/asian\//) as string,
      '/asian/ugetsu',
      expect.stringMatching(/^\/asian\//) as string,
      '/banned/asian-and-banned',
    ])
  })

  test('with a text finds every free type from both regions, and no VIP type', async () => {
    for (const region of ['asian', 'western']) {
      expect(await rows(`/${region}?search=chatterley`)).toEqual(['/banned/lady-chatterley'])
      expect(await rows(`/${region}?search=voynich`)).toEqual(['/unknown/voynich-manuscript'])
      expect((await server.request(`/${region}?search=secret`)).text).not.toContain('Secret gala')
    }
  })

  test('of the banned and the unknown shows only that category', async () => {
    expect(await rows('/banned')).toEqual([
      '/banned/lady-chatterley',
      '/banned/asian-and-banned',
      '/banned/areopagitica',
    ])
    expect(await rows('/banned?sort=oldest')).toEqual([
      '/banned/areopagitica',
      '/banned/asian-and-banned',
      '/banned/lady-chatterley',
    ])
    expect(await rows('/banned?month=05')).toEqual(['/banned/areopagitica'])
    expect(await rows('/unknown')).toEqual(['/unknown/voynich-manuscript'])
    expect((await server.request('/banned?search=nothing-like-it')).text).toContain('No Banned Content Found')
    expect((await server.request('/unknown?search=nothing-like-it')).text).toContain('No Unknown Content Found')
  })

  test('says that a page beyond the last one is none, and leads to the last with the same filters', async () => {
    const { status, text } = await server.request('/western?search=work&page=9999')
    expect(status).toBe(200)
    expect(text).toContain('There is no page 9999')
    expect(text).not.toContain('Try adjusting your search')
    const [, last = ''] = /The last page of this list is (\d+)\./.exec(text) ?? []
    expect(text).toContain(`href="/western?search=work&amp;page=${last}"`)
    expect(await rows(`/western?search=work&page=${last}`)).not.toEqual([])
    // Without a match it is the filters and not the page.
    expect((await server.request('/western?search=nothing-like-it&page=9')).text).toContain('Clear all filters')
  })

  test('of an empty catalogue says that nothing has been published, and gives no advice on filters that nobody set', async () => {
    await using empty = await openTestServer({ now: '2024-03-15T12:00:00Z' })
    for (const path of ['/asian', '/western', '/banned', '/unknown', '/banned?sort=oldest', '/western?page=9']) {
      const { text } = await empty.request(path)
      expect(text, path).toContain('Nothing has been published here yet.')
      expect(text, path).not.toContain('Try adjusting your search')
    }
    expect((await empty.request('/western?month=03')).text).toContain('Try adjusting your search')
  })

  test('goes on at the address of its next page', async () => {
    const first = await rows('/western')
    const second = await rows('/western?page=2')
    const third = await rows('/western?page=3')
    expect(new Set([...first, ...second, ...third]).size).toBe(641)
    expect((await server.request('/western')).text).toContain('href="/western?page=2"')
    expect((await server.request('/western?page=3')).text).not.toContain('href="/western?page=4"')
  })

  test.each(['asian', 'western', 'banned', 'unknown'])(
    '%s is the same when it is reached by a link within the site',
    async (section) => {
      // The browser fetches this in place of the page.
      const data = await server.request(`/${section}.data`)
      expect(data.status).toBe(200)
      const listed = (await rows(`/${section}`)).map((href) => href.replace(/^.*\//, ''))
      // Rows travel as one text; a control character stands between their fields.
      for (const slug of listed.slice(0, 5)) expect(data.text, slug).toContain(`\\t${slug}\\t`)
      if (section !== 'western') expect(data.text).not.toContain('"western-work-001"')
    },
  )

  test('shows dates as the specification writes them', async () => {
    const { text } = await server.request('/asian')
    const headings = [...text.matchAll(/<h2 data-day=\w+>(.*?)<\/h2>/g)].map(([, html]) =>
      (html as string).replace(/<[^>]+>|<!-- -->/g, ''),
    )
    expect(headings).toEqual(['March 15, 2024', 'March 14, 2024', 'December 01, 2023', 'November 01, 2023'])
  })

  test.each([
    'month=13',
    'dateFilter=never',
    'page=0',
    'page=x',
    'sort=up',
    `search=${'x'.repeat(500)}`,
    'search=%00',
    'page=999999999',
  ])('with an address that somebody has mended wrongly (%s) is still a page', async (query) => {
    const page = await server.request(`/western?${query}`)
    expect(page.status).toBeLessThan(500)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
  })
})

describe('every page', () => {
  const pages = [
    '/',
    '/chooser',
    '/asian',
    '/western',
    '/banned',
    '/unknown',
    '/western/everything',
    '/banned/lady-chatterley',
  ]

  test.each(pages)('%s has a language, a title with the brand, one heading, and a canonical address', async (path) => {
    const { text, status } = await server.request(path)
    expect(status).toBe(200)
    expect(text).toMatch(/^<!DOCTYPE html><html lang="en"/)
    expect(text).toMatch(/<title>[^<]+Daybook[^<]*<\/title>/)
    expect(text.match(/<h1/g)).toHaveLength(1)
    expect(text).toMatch(/<link rel="canonical" href="http:\/\/localhost:\d+\/[^"]*"|<link[^>]+rel="canonical"/)
  })

  test.each([
    ['/western', 'Free Western Content'],
    ['/western?search=', 'Free Western Content'],
    ['/western?page=2', 'Free Western Content · Page 2'],
    ['/asian?search=%20ugetsu%20&month=03&page=2', '“ugetsu” · March · Free Asian Content · Page 2'],
    ['/western?dateFilter=7days&category=Film', '7 Days · Film · Free Western Content'],
    ['/banned?sort=oldest&dateFilter=today', 'Oldest first · Banned Content'],
  ])('%s is called what it shows: %s', async (path, title) => {
    expect((await server.request(path)).text).toContain(`<title>${title} · Daybook</title>`)
  })

  test.each(pageList.flatMap((page) => (page.kind === 'shell' && page.access === 'vip' ? [page.path] : [])))(
    '%s does not tell its title before access is granted',
    async (path) => {
      const { text } = await server.request(path.replace(/:slug\??/, 'everything'))
      expect(text).toContain('<title>Members only · Daybook</title>')
    },
  )

  test('bears the name that the operator gave, and nothing of it can become markup', async () => {
    await using own = await openTestServer({ env: { BRAND_NAME: '<b>"Ex" & Libris</b>' } })
    const { text } = await own.request('/')
    expect(text).toContain('&lt;b&gt;')
    expect(text).not.toContain('<b>"Ex"')
  })

  test('search text comes back as text, never as markup', async () => {
    const { text } = await server.request(`/western?search=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(text).not.toContain('<script>alert(1)')
  })
})

describe('the pages that every footer leads to', () => {
  test('tell whom to write to, and are not indexed', async () => {
    for (const path of ['/support', '/report']) {
      const page = await server.request(path)
      expect(page.status).toBe(200)
      expect(page.text).toContain('href="mailto:contact@example.org"')
      expect(page.text).toContain('name="robots" content="noindex"')
    }
  })
})

test('the hint of the chooser stands under its cards', async () => {
  const { text } = await server.request('/')
  expect(text.indexOf('Select your preferred content category to continue')).toBeGreaterThan(
    text.indexOf('Explore our Western collection'),
  )
})

/** The links of a page under their texts, as far as they lie in a part of it. */
function linksIn(html: string, from: string, to: string): [href: string, text: string][] {
  const part = html.slice(html.indexOf(from), html.indexOf(to, html.indexOf(from)))
  return [...part.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, href = '', inside = '']) => [
    href.replaceAll('&amp;', '&'),
    inside
      .replaceAll(/<[^>]+>/g, ' ')
      .trim()
      .replaceAll(/\s+/g, ' '),
  ])
}

test('the chooser shows under each card its three newest entries and how many came in seven days', async () => {
  const { text } = await server.request('/')
  const asian = linksIn(text, 'Enter the world', 'Explore our Western')
  expect(asian.slice(0, 4)).toEqual([
    ['/asian/hong-lou-meng', '紅樓夢'],
    [expect.stringMatching(/^\/asian\//), '源氏物語'],
    ['/asian/ugetsu', 'Ugetsu'],
    ['/asian?dateFilter=7days', '3 in the last 7 days'],
  ])
  const western = linksIn(text, 'Explore our Western', 'Select your preferred')
  expect(western[0]?.[0]).toBe('/western/everything')
  expect(western.at(-1)).toEqual(['/western?dateFilter=7days', '29 in the last 7 days'])
})

test('the chooser of an empty catalogue is its two cards, and an entry stands there at once', async () => {
  await using empty = await openTestServer({ now: '2024-03-15T12:00:00Z' })
  const doors = async () =>
    linksIn((await empty.request('/')).text, '<main', 'Select your preferred').map(([href]) => href)
  expect(await doors()).toEqual(['/asian', '/western'])
  await someItems(empty.app, [{ name: 'Of old', slug: 'of-old', contentType: 'asian', postDate: '2023-01-01' }])
  expect(await doors()).toEqual(['/asian', '/asian/of-old', '/western'])
})

test('NEW stands on the first five rows of a list that is newest first, where they are new', async () => {
  const marked = async (path: string) => (await server.request(path)).text.split('<b>NEW</b>').length - 1
  expect(await marked('/western')).toBe(5)
  expect(await marked('/western?category=Film')).toBe(5)
  // Two of the banned ones are older than thirty days.
  expect(await marked('/banned')).toBe(1)
  expect(await marked('/banned?sort=mostRecent')).toBe(1)
  for (const path of ['/western?page=2', '/western?search=work', '/banned?sort=oldest'])
    expect(await marked(path)).toBe(0)
})

test('while nothing may be shown every page says so, once, and leads to itself', async () => {
  // As when the database has been away for longer than memory may answer.
  server.app.listing.expireAfter(-1)
  try {
    for (const path of ['/', '/login', '/asian/ugetsu', '/western?search=ugetsu']) {
      const answer = await server.request(path)
      expect(answer.status, path).toBe(503)
      const { html, text, hrefs } = fromHtml(answer.text)
      expect([...html.matchAll(/<h1[^>]*>([^<]*)/g)].map(([, words]) => words)).toEqual(['Back in a moment'])
      expect(text).toContain('The database does not answer at the moment. Please try again in a minute.')
      expect(text).toContain('Try again')
      expect(hrefs, path).toContain(path)
    }
  } finally {
    server.app.listing.expireAfter(Infinity)
  }
})

test('a list of a creator says which values it ignores, keeps the creator in its form, and a filter is taken away by a link', async () => {
  await using own = await openTestServer({ now: '2024-03-15T12:00:00Z' })
  await someItems(own.app, [
    { name: 'Emma', creators: 'Jane Austen', language: 'en', postDate: '2024-02-09' },
    { name: 'Lettres', creators: 'George Sand', language: 'fr', postDate: '2024-02-08' },
    { name: 'Persuasion', creators: 'Jane Austen', language: 'en', postDate: '2024-02-07' },
  ])
  const read = async (path: string) => fromHtml((await own.request(path)).text)
  const list = await read('/western?creator=jane+austen&language=no_such&decade=1815')
  expect(list.text).toContain('Ignored in the address: language, decade.')
  const entries = ['/western/emma', '/western/persuasion']
  const listed = ({ hrefs }: typeof list): string[] => hrefs.filter((href) => /^\/western\/\w/.test(href))
  expect(listed(list)).toEqual(entries)
  // A browser without JavaScript sends it along with another filter.
  const field = /<input[^>]*name="creator"[^>]*>/.exec(list.html)?.[0] ?? ''
  expect(field).toContain('type="hidden"')
  expect(field).toMatch(/value="jane austen"/i)
  const none = await read('/western?creator=jane+austen&month=03')
  expect(none.text).toContain('No Content Found')
  const away =
    /<a[^>]*aria-label="Remove filter March"[^>]*>|<a[^>]*>(?:(?!<\/a>)[\s\S])*Remove filter (?:(?!<\/a>)[\s\S])*March/.exec(
      none.html,
    )?.[0] ?? ''
  const [href = ''] = fromHtml(`${away}</a>`).hrefs
  expect(listed(await read(href))).toEqual(entries)
})
