import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Neighbours } from '../../src/features/catalogue/item/neighbours-schema.ts'
import { editItem, type ItemOverrides, type MadeItem, someItems } from '../harness/items.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* The surroundings of an entry on its page (docs/spec/pages.md#neighbours). */

let made: MadeItem[]
let ofVip: Record<string, string>

const essays = (number: string, postDate: string, more: ItemOverrides = {}): ItemOverrides => ({
  name: `Essays ${number}`,
  slug: `essays-${number}`,
  creators: 'Michel de Montaigne; Charles Cotton',
  series: 'Essays',
  seriesNumber: number,
  postDate,
  ...more,
})
const works: ItemOverrides[] = [
  essays('2', '2024-03-02'),
  essays('10', '2024-03-10'),
  essays('1', '2024-03-01'),
  essays('3', '2024-03-20', { contentType: 'banned', category: 'Banned', region: 'western' }),
  essays('4', '2024-03-03', { contentType: 'vip-western', category: 'VIP Content' }),
  essays('5', '2024-06-01'),
  { name: 'Journey', slug: 'journey', creators: 'MONTAIGNE, Michel; michel de montaigne', postDate: '2024-01-05' },
  { name: 'Montaigne, a life', slug: 'a-life', creators: 'Somebody', postDate: '2024-01-04' },
  { name: 'Hamlet', slug: 'hamlet', creators: 'William Shakespeare', postDate: '2024-03-02T10:00:00Z' },
  { name: 'Ugetsu', slug: 'ugetsu', contentType: 'asian', postDate: '2024-03-02' },
  { name: 'Alone', slug: 'alone', contentType: 'unknown', category: 'Unknown', region: 'asian', series: 'None else' },
]

const server = serverOfFile({ now: '2024-03-25T12:00:00Z' })

beforeAll(async () => {
  made = await someItems(server.app, works)
  ofVip = bearer(await signIn(server, await aMember(server.app, { isVip: true })))
})

/** The addresses behind the links of a part of a page. */
function linksIn(html: string, part: RegExp): string[] {
  const [found = ''] = part.exec(html) ?? []
  return [...found.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href)
}

async function around(path: string) {
  const { text, status } = await server.request(path)
  expect(status, path).toBe(200)
  return {
    text,
    volumes: linksIn(text, /<nav class="volumes".*?<\/nav>/),
    moreBy: linksIn(text, /More by .*?<\/section>/),
    sameDay: linksIn(text, /Entered the same day.*?<\/section>/),
    previous: /<a [^>]*rel="prev"[^>]*href="([^"]*)"|<a [^>]*href="([^"]*)"[^>]*rel="prev"/
      .exec(text)
      ?.slice(1)
      .find(Boolean),
    next: /<a [^>]*rel="next"[^>]*href="([^"]*)"|<a [^>]*href="([^"]*)"[^>]*rel="next"/
      .exec(text)
      ?.slice(1)
      .find(Boolean),
  }
}

describe('the page of a free entry', () => {
  test('leads to the volumes of its series in their order, to others by its creators and of its day, and to its neighbours', async () => {
    const { text, ...found } = await around('/western/essays-2')
    expect(found).toEqual({
      // Neither what is for VIPs nor what is ahead; the banned one is.
      volumes: ['/western/essays-1', '/western/essays-2', '/banned/essays-3', '/western/essays-10'],
      moreBy: ['/western/journey'],
      sameDay: ['/western/hamlet'],
      previous: '/western/hamlet',
      next: '/western/essays-1',
    })
    expect(text).toMatch(
      /<a [^>]*aria-current="page"[^>]*href="\/western\/essays-2"|href="\/western\/essays-2"[^>]*aria-current="page"/,
    )
    // They are the list's: another list has others.
    expect(await around('/banned/essays-3')).toMatchObject({ previous: undefined, next: undefined })
  })

  test('leads to the first and the last volume of a long series, and to those near it', async () => {
    const numbers = Array.from({ length: 40 }, (_, i) => String(i + 1))
    await someItems(
      server.app,
      numbers.map((number) => ({
        name: `Diary ${number}`,
        slug: `diary-${number}`,
        series: 'Diary',
        seriesNumber: number,
      })),
    )
    const { volumes, text } = await around('/western/diary-20')
    expect(volumes.map((path) => path.replace('/western/diary-', ''))).toEqual(['1', ...numbers.slice(7, 32), '40'])
    expect(text.match(/<li data-gap="true"/g)).toHaveLength(2)
  })

  test('leaves no gap for what there is nothing of', async () => {
    const { text, ...found } = await around('/unknown/alone')
    expect(found).toEqual({ volumes: [], moreBy: [], sameDay: [], previous: undefined, next: undefined })
    for (const word of ['More by', 'the same day', 'Previous', 'rel="next"', 'class="near"'])
      expect(text).not.toContain(word)
  })

  test('shows at once what has become of its neighbours, and stays in memory when others are edited', async () => {
    const edit = (slug: string, more: ItemOverrides): Promise<void> => {
      const at = works.findIndex((work) => work.slug === slug)
      return editItem(server.app, made[at] as MadeItem, { ...works[at], ...more })
    }
    const page = () => around('/western/essays-2')
    await page()
    await edit('essays-10', { name: 'Essays, the tenth' })
    expect((await page()).text).toContain('Essays, the tenth')
    await edit('hamlet', { postDate: '2024-02-02' })
    expect(await page()).toMatchObject({ sameDay: [], previous: '/western/essays-10' })
    await edit('a-life', { creators: 'Charles Cotton; Michel de Montaigne' })
    expect((await page()).moreBy).toEqual(['/western/journey', '/western/a-life'])
    await edit('essays-1', { series: '' })
    expect((await page()).volumes).toEqual(['/western/essays-2', '/banned/essays-3', '/western/essays-10'])
    const make = vi.spyOn(server.app.answers, 'get')
    const isMade = async (): Promise<boolean> => {
      make.mockClear()
      await page()
      return make.mock.calls.length > 0
    }
    await edit('ugetsu', { name: 'Ugetsu monogatari' })
    await edit('alone', { name: 'Alone no more' })
    await edit('essays-4', { postDate: '2024-03-04' })
    expect(await isMade()).toBe(false)
    await edit('hamlet', { postDate: '2024-03-02T10:00:00Z' })
    expect(await isMade()).toBe(true)
    make.mockRestore()
  })
})

describe('the neighbours of a VIP entry', () => {
  const call = (path: string, headers: Record<string, string>) => server.call(path, { headers })

  test('are told to VIPs, of both tiers where they are of its series', async () => {
    const answer = await call('/vip-westerncontent/essays-4/neighbours', ofVip)
    expect(answer.status).toBe(200)
    const { volumes, ...rest } = answer.json() as Neighbours
    expect(volumes.map(({ path, number }) => [path, number])).toEqual([
      ['/western/essays-2', 2],
      ['/banned/essays-3', 3],
      ['/vip-western/essays-4', 4],
      ['/western/essays-10', 10],
    ])
    expect(rest).toEqual({})
  })

  test('are told to nobody else, and of no free entry', async () => {
    expect((await call('/vip-westerncontent/essays-4/neighbours', {})).status).toBe(401)
    const ofMember = bearer(await signIn(server, await aMember(server.app)))
    expect((await call('/vip-westerncontent/essays-4/neighbours', ofMember)).status).toBe(403)
    expect((await call('/vip-westerncontent/essays-2/neighbours', ofVip)).status).toBe(404)
    expect((await call('/vip-asiancontent/essays-4/neighbours', ofVip)).status).toBe(404)
  })
})
