import * as z from 'zod/mini'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { subscribeChanges } from './follow-changes.ts'
import { ApiError, NetworkError, noAnswer, request } from './api-client.ts'

const Answer = z.object({ name: z.string() })
const call = { token: 'a token' }

function answers(status: number, body: string, headers: Record<string, string> = {}) {
  const fetch = vi.fn<typeof globalThis.fetch>(() =>
    Promise.resolve(new Response(status === 204 ? null : body, { status, headers })),
  )
  vi.stubGlobal('fetch', fetch)
  return fetch
}

const failure = async (status: number, body: string, headers?: Record<string, string>): Promise<ApiError> => {
  answers(status, body, headers)
  const error = await request('/a/path', Answer, call).catch((error: unknown) => error)
  if (!(error instanceof ApiError)) throw new Error('The request did not fail.')
  return error
}

afterEach(() => vi.unstubAllGlobals())

describe('a request', () => {
  test('brings the answer in the shape of its schema, and nothing beside it', async () => {
    vi.stubGlobal('document', { documentElement: { dataset: { clientKey: 'key' } } })
    const fetch = answers(200, '{"name":"Jane","secret":1}')
    expect(await request('/a/path', Answer, call)).toEqual({ name: 'Jane' })
    expect(fetch.mock.calls[0]?.[0]).toBe('/a/path')
    expect(fetch.mock.calls[0]?.[1]?.headers).toEqual({
      accept: 'application/json',
      authorization: 'Bearer a token',
      'api-key': 'key',
    })
  })

  test.each([
    ['POST', '/auth/login', 'same-origin'],
    ['GET', '/auth/devices?a=1', 'same-origin'],
    ['DELETE', '/auth/devices/1', 'omit'],
    ['GET', '/auth/login', 'omit'],
    ['POST', '/a/path', 'omit'],
  ] as const)('has the cookie of the device with the calls that read it alone: %s %s', async (method, path, sent) => {
    const fetch = answers(204, '')
    await request(path, noAnswer, { ...call, method })
    expect(fetch.mock.calls[0]?.[1]?.credentials).toBe(sent)
  })

  test('may have an answer that says nothing', async () => {
    answers(204, '')
    expect(await request('/a/path', noAnswer, { ...call, method: 'DELETE' })).toBeUndefined()
  })

  test('that has written tells of it, and no other does', async () => {
    const told = vi.fn<(path?: string) => void>()
    const end = subscribeChanges(told)
    answers(200, '{"name":"Jane"}')
    await request('/a/path', Answer, call)
    answers(409, '')
    await request('/a/path', noAnswer, { ...call, method: 'POST' }).catch(() => undefined)
    expect(told).not.toHaveBeenCalled()
    answers(204, '')
    await request('/a/path', noAnswer, { ...call, method: 'POST' })
    expect(told.mock.calls).toEqual([['/a/path']])
    end()
  })

  test('that is refused tells the sentence of the server, its field and when to come again', async () => {
    const error = await failure(503, '{"error":"No.","message":"Not now.","field":"email"}', { 'retry-after': '3' })
    expect(error).toMatchObject({
      kind: 'refused',
      status: 503,
      message: 'Not now.',
      sentence: 'Not now.',
      field: 'email',
      retryAfterMs: 3_000,
    })
  })

  test('that is refused without a sentence has the usual one', async () => {
    const error = await failure(502, '<h1>Bad gateway</h1>')
    expect(error).toMatchObject({ kind: 'refused', status: 502, sentence: undefined })
    expect(error.message).toBe('An error occurred. Please try again.')
  })

  test('that is answered in another shape fails, and the console says which address', async () => {
    const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    answers(200, '{"name":7}')
    const error = await request('/a/path?search=somebody', Answer, call).catch((error: unknown) => error)
    expect(error).toMatchObject({ kind: 'unreadable', status: undefined })
    expect(complain.mock.calls[0]?.[0]).toBe('The answer of /a/path does not have its shape.')
  })

  test('that a page of somebody between answers fails without a word of ours', async () => {
    const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(await failure(200, '<h1>Please sign in to this network</h1>')).toMatchObject({ kind: 'unreadable' })
    expect(complain).not.toHaveBeenCalled()
  })

  test('that gets no answer says so', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const error = await request('/a/path', Answer, call).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ kind: 'network', message: 'Network error. Please check your connection.' })
  })
})

describe('a token that the server rejects', () => {
  const store = new Map<string, string>()
  beforeEach(() => {
    store.clear()
    store.set('Token', 'a token')
    const storage = {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => store.set(key, value),
      removeItem: (key: string) => store.delete(key),
    }
    vi.stubGlobal('localStorage', storage)
    vi.stubGlobal('window', { addEventListener: () => undefined, localStorage: storage, sessionStorage: storage })
    vi.stubGlobal('BroadcastChannel', undefined)
  })

  test('is forgotten', async () => {
    answers(401, '{"message":"Please sign in first."}')
    // The store of the session keeps state, and other tests may have used the one that is loaded.
    vi.resetModules()
    const { request } = await import('./api-client.ts')
    await expect(request('/a/path', Answer, call)).rejects.toMatchObject({ status: 401 })
    expect(store.has('Token')).toBe(false)
  })
})
