import { describe, expect, test } from 'vitest'
import { Matcher } from './match.ts'
import type { Page } from './pages/page.ts'
import { declareRoutes, type Method } from './route.ts'

const route = declareRoutes<object, undefined>()

function declared(method: Method, path: string) {
  return route({
    access: 'anyone',
    method,
    path,
    caching: 'never',
    summary: 'A route of a test.',
    answers: {},
    handle: () => Promise.reject(new Error('A test of matching runs no route.')),
  })
}

const routes = [
  declared('GET', '/things/:id'),
  declared('DELETE', '/things/:id'),
  declared('GET', '/things/newest'),
  declared('POST', '/things/:id/parts/:part'),
  declared('POST', '/sign-in'),
  declared('POST', '/api/run'),
  declared('POST', '/write'),
]
const pages: Page[] = [
  { kind: 'public', path: '/', file: 'home.tsx' },
  { kind: 'public', path: '/list', file: 'list.tsx' },
  { kind: 'public', path: '/list/:slug', file: 'details.tsx' },
  { kind: 'shell', access: 'anyone', path: '/sign-in', file: 'sign-in.tsx' },
  { kind: 'shell', access: 'vip', path: '/shelf/:slug?', file: 'shelf.tsx' },
  { kind: 'uncached', path: '/post/:box', form: { maxBodyBytes: 10, fields: [] }, file: 'post.tsx' },
  { kind: 'uncached', path: '/write', form: { maxBodyBytes: 10, fields: [] }, file: 'write.tsx' },
]
const matcher = new Matcher(routes, pages, ['/alive'])

describe('a route', () => {
  test.each([
    ['GET', '/things/7', '/things/:id', { id: '7' }],
    ['HEAD', '/things/7', '/things/:id', { id: '7' }],
    ['DELETE', '/things/7', '/things/:id', { id: '7' }],
    ['GET', '/things/newest', '/things/newest', {}],
    ['POST', '/things/7/parts/a', '/things/:id/parts/:part', { id: '7', part: 'a' }],
    ['GET', '/th%69ngs/a%20b', '/things/:id', { id: 'a b' }],
    ['GET', '/things/a%2Fb', '/things/:id', { id: 'a/b' }],
    ['GET', '/things/%2541', '/things/:id', { id: '%41' }],
    ['GET', '/things/100%25', '/things/:id', { id: '100%' }],
    ['GET', '/things/person%40example.org', '/things/:id', { id: 'person@example.org' }],
    ['GET', '/things/%E3%81%82', '/things/:id', { id: 'あ' }],
    ['GET', '/things/%E0%A4%A', '/things/:id', { id: '%E0%A4%A' }],
    ['POST', '/sign-in', '/sign-in', {}],
  ])('%s %s is %s with its parameters decoded', (method, path, pattern, params) => {
    expect(matcher.match(method, path)).toMatchObject({ kind: 'route', pattern, params })
  })

  test('two requests to one route do not see the parameters of each other', () => {
    const first = matcher.match('GET', '/things/1')
    matcher.match('GET', '/things/2')
    expect(first).toMatchObject({ params: { id: '1' } })
  })
})

describe('a page', () => {
  test.each([
    ['GET', '/', '/'],
    ['GET', '/list', '/list'],
    ['HEAD', '/list/', '/list'],
    ['GET', '/LIST/Name', '/list/:slug'],
    ['GET', '/l%69st', '/list'],
    ['GET', '/list.data', '/list'],
    ['GET', '/_.data', '/'],
    ['GET', '/list/name.data', '/list/:slug'],
    ['GET', '/shelf', '/shelf/:slug?'],
    ['GET', '/shelf/name', '/shelf/:slug?'],
    ['GET', '/sign-in', '/sign-in'],
    ['GET', '/sign-in/', '/sign-in'],
  ])('%s %s is the page %s', (method, path, pattern) => {
    expect(matcher.match(method, path)).toMatchObject({ kind: 'page', pattern, page: { path: pattern } })
  })

  test.each(['/nothing', '/list/a/b', '/lists', '/list/%', '//elsewhere.example/list', '/assets/a.js', '//THINGS/7'])(
    '%s has no page of its own and is not named',
    (path) => {
      const match = matcher.match('GET', path)
      expect(match.kind).toBe('page')
      if (path !== '/list/%') expect(match).toEqual({ kind: 'page', pattern: '*', page: undefined })
    },
  )
})

test('what is sent to a page with a form and to a route of the same address goes where its type belongs', () => {
  expect(matcher.match('POST', '/write', true)).toMatchObject({ kind: 'page', pattern: '/write' })
  expect(matcher.match('POST', '/write')).toMatchObject({ kind: 'route', pattern: '/write' })
  expect(matcher.match('POST', '/api/run', true)).toMatchObject({ kind: 'route', pattern: '/api/run' })
})

describe('a route in other letters', () => {
  test.each([
    ['GET', '/THINGS/Seven', '/things/:id', '/things/Seven'],
    ['HEAD', '/Things/a%2FB', '/things/:id', '/things/a%2FB'],
    ['GET', '/things/NEWEST', '/things/:id', undefined],
    ['GET', '/%54hings/7', '/things/:id', '/things/7'],
    ['GET', '/Api/Run', '/api/run', '/api/run'],
    ['GET', '/Sign-In', '/sign-in', undefined],
  ])('%s %s is sent to its declared path, with its parameters as they came', (method, path, pattern, to) => {
    const match = matcher.match(method, path)
    expect(match).toMatchObject(to === undefined ? { pattern } : { kind: 'moved', pattern, to })
    expect(match.kind === 'moved').toBe(to !== undefined)
  })
})

describe('nothing', () => {
  test.each([
    ['PUT', '/things/7', 'DELETE, GET, HEAD'],
    ['PATCH', '/things/newest', 'DELETE, GET, HEAD'],
    ['GET', '/api/run', 'POST'],
    ['PUT', '/sign-in', 'GET, HEAD, POST'],
    ['POST', '/alive', 'GET, HEAD'],
  ])('%s %s is refused with 405 and the methods %s', (method, path, allow) => {
    const match = matcher.match(method, path)
    expect(match).toMatchObject({ kind: 'nothing', pattern: '*', error: { status: 405, code: 'method.not_allowed' } })
    expect(match.kind === 'nothing' && match.error.allow?.join(', ')).toBe(allow)
  })

  test.each([
    ['GET', '/api/other'],
    ['GET', '/things'],
    ['GET', '/things/7/'],
    ['GET', '/things/'],
    ['GET', '/THINGS/7/'],
    ['GET', '/Things/7/other'],
    ['DELETE', '/THINGS/7'],
    ['PATCH', '/things/7/'],
    ['HEAD', '/api/run/'],
    ['POST', '/api/run/'],
    ['PUT', '/sign-in/'],
    ['POST', '/list'],
    ['POST', '/nothing'],
    ['POST', '/sign-in/'],
  ])('%s %s is refused with 404', (method, path) => {
    expect(matcher.match(method, path)).toMatchObject({ kind: 'nothing', error: { status: 404, code: 'not_found' } })
  })
})

describe('a form', () => {
  test('goes to the page that takes one, and to no other, nor to the data of that page', () => {
    expect(matcher.match('POST', '/post/7')).toMatchObject({
      kind: 'page',
      pattern: '/post/:box',
      page: { file: 'post.tsx' },
    })
    expect(matcher.match('POST', '/post/7.data').kind).toBe('nothing')
    expect(matcher.match('PUT', '/post/7').kind).toBe('nothing')
    expect(matcher.match('POST', '/list/7').kind).toBe('nothing')
    expect(matcher.match('POST', '/list').kind).toBe('nothing')
  })

  test('goes to the route where one claims the same path', () => {
    expect(matcher.match('POST', '/sign-in').kind).toBe('route')
  })
})
