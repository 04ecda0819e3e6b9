import { expect, test } from 'vitest'
import errorCodes from '../../docs/api/errors.json' with { type: 'json' }
import { routes as all } from '../../src/app/server.ts'
import { serverOfFile } from '../harness/test-server.ts'

/** Documents for other programs stand in docs/routes.md alone. */
const routes = all.filter(({ isDocument }) => isDocument !== true)

const server = serverOfFile({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })

test('the reference names every route and every code of an answer, and each of its links leads to a place on the page', async () => {
  const html = (await server.request('/docs')).text
  const textOf = (markup: string): string => markup.replaceAll(/<[^>]+>/g, '').replaceAll('&#x27;', "'")
  const named = [...html.matchAll(/<h3[^>]*>(.*?)<\/h3>/gs)].map(([, heading]) => textOf(heading ?? ''))
  expect(named).toEqual(
    expect.arrayContaining(routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)),
  )
  const codes = errorCodes.flatMap(({ code, isOfCommand }) => (isOfCommand === true ? [] : [code]))
  expect(codes.filter((code) => !html.includes(` id="error-${code}"`))).toEqual([])
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(targets.length).toBeGreaterThan(routes.length)
  expect(targets.filter((id) => !html.includes(` id="${id}"`))).toEqual([])
})

test('the document of the interface is served as JSON, and names itself', async () => {
  const answer = await server.request('/openapi.json')
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expect(answer.json()).toMatchObject({
    openapi: '3.1.1',
    paths: { '/openapi.json': { get: { 'x-access': 'anyone' } } },
  })
})

test('the document is given to an address 60 times in 10 minutes, and to others all the same', async () => {
  const ask = (from: string) => server.request('/openapi.json', { headers: { 'x-forwarded-for': from } })
  const { headers } = await ask('203.0.113.1')
  expect(headers['cache-control']).toBe('private, no-cache')
  for (let no = 1; no < 60; no += 1) expect((await ask('203.0.113.1')).status).toBe(200)
  const refused = await ask('203.0.113.1')
  expect([refused.status, refused.json()]).toMatchObject([429, { code: 'limit.exceeded' }])
  expect((await ask('203.0.113.2')).status).toBe(200)
})
