import { beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../../src/app/pages.ts'
import { routes } from '../../src/app/server.ts'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import { defaultMaxBodyBytes } from '../../src/http/route.ts'
import { openLog } from '../../src/platform/log.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

let token: string
let logged = ''

const server = serverOfFile({ log: openLog('debug', { write: (line) => void (logged += line) }) })

beforeAll(async () => {
  await someItems(server.app, [{ name: 'Entry', contentType: 'asian', postDate: '2024-03-01' }])
  token = await signIn(server, await aMember(server.app, { isAdmin: true }))
})

const routesWithBodies = routes.filter(({ method }) => method !== 'GET')

describe('a body larger than its route takes', () => {
  test.each(routesWithBodies.map((route) => [route.method, route.path, route.maxBodyBytes ?? defaultMaxBodyBytes]))(
    'is refused by %s %s (%i bytes)',
    async (method, path, maxBytes) => {
      const address = path.replaceAll(/:\w+/g, 'entry')
      const body = Buffer.alloc(maxBytes + 1)
      // Node's client sends no length with a DELETE by itself.
      const headers = { ...bearer(token), 'content-length': String(body.length) }
      const answer = await server.call(address, { method, body, headers })
      expect(answer.status).toBe(413)
      expect(answer.json()).toMatchObject({ code: 'body.too_large' })
    },
  )

  test('is refused where the path has a parameter: 200 kB for a call that takes 16 KiB', async () => {
    const answer = await server.call('/api/billing/members/entry/sync', {
      method: 'POST',
      body: Buffer.alloc(200_000),
      headers: bearer(token),
    })
    expect(answer.json()).toMatchObject({ message: 'The request is larger than 16 KiB. Send less at once.' })
  })
})

describe('the log', () => {
  const secret = 'reader%40secret.example'
  const secretQuery = '?token=secret&search=secret&email=secret'
  const addressesOf = (pattern: string): string[] => {
    const path = pattern.replaceAll(/:\w+\??/g, secret).replace('*', `${secret}/${secret}/${secret}`)
    return [path, `${path}${secretQuery}`, `${path}/${secretQuery}`, `${path.toUpperCase()}${secretQuery}`]
  }

  test('names the pattern of a route or page and nothing of its address, whoever asks and however it is spelt', async () => {
    logged = ''
    for (const { method, path } of routes.filter(({ path }) => path !== '/auth/logout')) {
      // Ending the sessions would end the one that asks.
      const headers = method === 'DELETE' ? {} : bearer(token)
      const body = method === 'POST' ? { body: '{"secret":' } : {}
      for (const address of addressesOf(path)) await server.call(address, { method, headers, ...body })
    }
    for (const { path } of pages) {
      const [plain = '', requested = '', ...others] = addressesOf(path)
      const data = `${plain === '/' ? '/_' : plain}.data${secretQuery}`
      // The second time out of memory.
      for (const address of [plain, requested, requested, ...others, data]) await server.request(address)
    }
    for (const address of [
      `/no/${secret}`,
      `/assets/${secret}.js`,
      `/api/${secret}`,
      `/%secret`,
      `/favicon.svg?secret`,
    ])
      await server.request(address)
    expect(logged).not.toMatch(/secret/i)

    const lines = logged.split('\n').filter((line) => line.includes('"requestId"'))
    const named = new Set(lines.map((line) => (JSON.parse(line) as { path: string }).path))
    const declared = new Set([...routes, ...pages].map(({ path }) => path))
    expect([...named].filter((path) => path !== '*' && !declared.has(path))).toEqual([])
    expect([...named]).toEqual(expect.arrayContaining(['*', ...pages.map(({ path }) => path)]))
    expect([...named]).toEqual(expect.arrayContaining(['/auth/delete-account/:email', '/pay/session/:id']))
  })
})

describe('an id in a path that cannot be one', () => {
  const withIds = routes.filter(({ path }) => /\/:(?:id|consent)(?:\/|$)/.test(path))
  const known = '0198f000-0000-7000-8000-000000000000'

  /** The answer to a call with one id in the place of each parameter; its body is as wrong as its id. */
  const asked = (method: string, path: string, id: string) =>
    server.call(path.replaceAll(/:(?:id|consent)\b/g, encodeURIComponent(id)), {
      method,
      ...(method === 'GET' ? {} : { body: '{}' }),
      headers: { ...bearer(token), 'api-key': server.app.config.clientApiKey, 'admin-key': adminKeyOf(token) },
    })

  test('is asked for by more routes than one', () => {
    expect(withIds.length).toBeGreaterThan(40)
  })

  test.each(withIds.map((route) => [route.method, route.path, (route.errors ?? []).map(({ code }) => code)] as const))(
    'is unknown to %s %s',
    async (method, path, errors) => {
      for (const id of ['nonsense', '0', '-1', '99999999999999999999', `${known}0`, '\0', '½']) {
        const answer = await asked(method, path, id)
        const { code } = answer.json() as { code: string }
        expect([id, answer.status, code]).toEqual([id, 404, expect.stringMatching(/[._](?:not_found|unknown)$/)])
        expect(errors).toContain(code)
      }
    },
  )

  test.each(withIds.filter(({ method }) => method === 'GET').map((route) => [route.method, route.path] as const))(
    'is answered like one that is not known by %s %s',
    async (method, path) => {
      const unknown = await asked(method, path, path.startsWith('/api/links') ? '999999999' : known)
      if (unknown.status !== 400 && unknown.status !== 422)
        expect(unknown.json()).toEqual((await asked(method, path, 'nonsense')).json())
    },
  )
})
