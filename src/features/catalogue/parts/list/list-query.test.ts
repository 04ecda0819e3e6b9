import { afterEach, expect, test, vi } from 'vitest'
import { pageAfter } from './list-query.ts'
import { readPage, requestPage } from './request-page.ts'
import { noFilters } from '../../search/listing-address.ts'
import { freeShelves } from '../../shelves/free-shelves.ts'

function encode(payload: unknown): string {
  const base64 = Buffer.from(JSON.stringify(payload)).toString('base64')
  return `${base64.slice(0, 2)}x${base64.slice(2)}`
}

const site = { brandName: 'Daybook', publicUrl: '', today: '', timeZone: 'Asia/Tokyo' }
const query = { site, shelf: freeShelves.western, filters: noFilters }
const item = {
  id: '1',
  name: '羅生門',
  slug: 'luo-sheng-men',
  category: 'Literature',
  contentType: 'asian',
  region: 'asian',
  postDate: '2024-03-04T20:00:00.000Z',
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('an item of the wire becomes a row dated in the time zone of the site', () => {
  const page = readPage(encode({ data: [item], page: 3, totalPages: 1, total: 1, totalIsExact: true }), site.timeZone)
  expect(page).toEqual({
    rows: [{ name: '羅生門', slug: 'luo-sheng-men', category: 'Literature', contentType: 'asian', day: '2024-03-05' }],
    nearest: [],
    total: 1,
    page: 3,
    totalPages: 1,
  })
})

test('a date that is none is kept as an empty day', () => {
  expect(readPage(encode({ data: [{ ...item, postDate: 'soon' }], totalPages: 1 }), 'UTC').rows[0]?.day).toBe('')
})

test.each([
  ['no base64', '%%%%'],
  ['no list', encode({ items: [] })],
  ['an item without a name', encode({ data: [{ slug: 'x' }] })],
])('%s is invalid data', (_, encoded) => {
  expect(() => readPage(encoded, 'UTC')).toThrow('Invalid data received from API')
})

test.each([
  ['a failure', () => new Response('{}', { status: 500 }), 'Invalid server response'],
  ['something that is no JSON', () => new Response('<html>'), 'Invalid server response'],
  ['an answer without data', () => Response.json({}), 'Invalid server response'],
  ['data that cannot be decoded', () => Response.json({ data: '!' }), 'Invalid data received from API'],
])('%s is told to the console and thrown', async (_, answer, message) => {
  vi.stubGlobal('fetch', async () => answer())
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await expect(requestPage(query, 1, new AbortController().signal)).rejects.toThrow(message)
  expect(log).toHaveBeenCalledWith(message, expect.anything())
})

test('a superseded query is not an error', async () => {
  const abort = new AbortController()
  vi.stubGlobal('fetch', async () => {
    abort.abort()
    throw new DOMException('Aborted', 'AbortError')
  })
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await expect(requestPage(query, 1, abort.signal)).rejects.toThrow()
  expect(log).not.toHaveBeenCalled()
})

test('there is more only below the last page and after a page that held something', () => {
  const page = {
    rows: [{ ...item, contentType: 'asian', day: '' } as const],
    nearest: [],
    total: 1,
    page: 1,
  }
  expect(pageAfter({ ...page, totalPages: 2 })).toBe(2)
  expect(pageAfter({ ...page, page: 2, totalPages: 2 })).toBeUndefined()
  expect(pageAfter({ ...page, rows: [], totalPages: 9 })).toBeUndefined()
})
