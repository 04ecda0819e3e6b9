import { expect, test } from 'vitest'
import { addressOf, canonicalPath, canonicalQuery } from './canonical-address.ts'
import type { Page } from './pages/page.ts'

const list: Page = { kind: 'public', path: '/list', file: 'list.tsx', parameters: ['search', 'page'] }
const details: Page = { kind: 'public', path: '/list/:slug', file: 'details.tsx' }
const home: Page = { kind: 'public', path: '/', file: 'home.tsx' }
const shell: Page = { kind: 'shell', access: 'admin', path: '/admin/things/:id?', file: 'things.tsx' }

test.each([
  ['?utm_source=x', ''],
  ['', ''],
  ['?page=2&utm_source=x&search=a%20b', '?search=a+b&page=2'],
  ['?page=2&page=3', '?page=2'],
  ['?search=&page=', ''],
  ['?search=%E0%A4%A', '?search=%EF%BF%BD%25A'],
  ['?Search=a&page=%32', '?page=2'],
])('of the query %s the page is rendered under %j', (search, query) => {
  expect(canonicalQuery(list, '/list', search)).toBe(query)
  expect(canonicalQuery(list, '/list', query)).toBe(query)
})

test('a page that reads nothing, a shell and no page at all are rendered under their path alone', () => {
  for (const page of [details, shell, undefined])
    expect(canonicalQuery(page, '/any', '?search=a&token=secret')).toBe('')
})

test("the data of a page is kept under the page's parameters and the parts that are asked for", () => {
  expect(canonicalQuery(list, '/list.data', '?utm=x&_routes=list&page=2')).toBe('?page=2&_routes=list')
  expect(canonicalQuery(shell, '/admin/things.data', '?token=secret&_routes=things')).toBe('?_routes=things')
})

test.each([
  [list, '/LIST', '/list'],
  [list, '/%6Cist', '/list'],
  [list, '/List/', '/list/'],
  [details, '/List/Some-Name', '/list/Some-Name'],
  [details, '/list/%41%2d%7e', '/list/A-~'],
  [details, '/list/%e6%9c%ac%2f', '/list/%E6%9C%AC%2F'],
  [details, '/list/%41.data', '/list/A.data'],
  [details, '/LIST/%ff%41', '/LIST/%ff%41'],
  [shell, '/ADMIN/Things/Ab', '/admin/things/Ab'],
  [shell, '/Admin/Things', '/admin/things'],
  [undefined, '/No/Page', '/No/Page'],
  [list, '/LIST.data', '/LIST.data'],
  [list, '/list///', '/list/'],
  [list, '/list//.data', '/list/.data'],
  [list, '/list///_.data', '/list/_.data'],
  [home, '/////', '/'],
  [home, '/////_.data', '/_.data'],
  [details, '/list//name', '/list//name'],
])('%#: the path %s is spelt %s', (page, path, canonical) => expect(canonicalPath(page, path)).toBe(canonical))

test.each([
  ['/list?a=b', '/list', '?a=b'],
  ['http://elsewhere.example/list?a=b', '/list', '?a=b'],
  ['//elsewhere.example/list', '//elsewhere.example/list', ''],
])('a request to %s names the path %s', (target, pathname, search) => {
  expect(addressOf(target)).toMatchObject({ pathname, search })
})

test.each(['*', '', 'http://['])('a request to %j names no address and is refused with 400', (target) => {
  expect(() => addressOf(target)).toThrow(expect.objectContaining({ status: 400, code: 'request.unreadable' }))
})
