import { z } from 'zod'
import { expect, test } from 'vitest'
import { cacheAddress, nothingOf } from './run-route.ts'

const address = (route: Parameters<typeof cacheAddress>[0], text: string): string =>
  cacheAddress(route, new URL(text, 'http://localhost'))

test('a shared answer is kept without the parameters that its route does not declare', () => {
  const list = { path: '/list', described: { query: z.object({ page: z.string(), text: z.string() }) } }
  expect(address(list, '/list?text=a%20b&page=2')).toBe('/list?text=a%20b&page=2')
  expect(address(list, '/list?utm_source=x&page=2&zz=1')).toBe('/list?page=2')
  expect(address(list, '/list?zz=1')).toBe('/list')
  const document = { path: '/document.json' }
  expect(address(document, '/document.json?1')).toBe('/document.json')
  expect(address(document, '/docu%6Dent.json?n=2')).toBe('/document.json')
  expect(address({ path: '/things/:slug' }, '/things/%61-%62%c3%a9')).toBe('/things/a-b%C3%A9')
})

test('a route that returns nothing answers 204 where it declares that, and is a fault elsewhere', () => {
  expect(nothingOf({ path: '/ended', answers: { 204: null } }).status).toBe(204)
  expect(() => nothingOf({ path: '/things', answers: { 200: z.string() } })).toThrow('/things returned no answer.')
})
