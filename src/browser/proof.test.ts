import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'

/** A browser with a session: the modules keep what they know of it, so each test has its own. */
async function aBrowser() {
  vi.resetModules()
  const store = new Map<string, string>()
  const storage = {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => void store.set(key, value),
    removeItem: (key: string) => void store.delete(key),
  }
  const signs = new Map<string, () => void>()
  vi.stubGlobal('window', {
    localStorage: storage,
    sessionStorage: { ...storage, getItem: () => null, setItem: () => undefined },
    addEventListener: (name: string, listener: () => void) => void signs.set(name, listener),
    removeEventListener: (name: string) => void signs.delete(name),
  })
  vi.stubGlobal('BroadcastChannel', undefined)
  const [proof, api, sessions, presence] = await Promise.all([
    import('./proof.ts'),
    import('./api-client.ts'),
    import('./session-store.ts'),
    import('./presence.ts'),
  ])
  sessions.openSession({ token: 'one', name: 'Jane', email: 'jane@readers.example' }, true)
  return { proof, api, sessions, presence, signs }
}

let browser: Awaited<ReturnType<typeof aBrowser>>
beforeEach(async () => {
  browser = await aBrowser()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  // The next file of this worker begins without the session of this one.
  vi.resetModules()
})

const needed = () => new Response('{"code":"proof.needed","message":"Please confirm."}', { status: 403 })
const done = () => new Response('{"name":"saved"}')

/** A server that gives these answers, one after the other. */
function answers(...replies: (() => Response)[]) {
  const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve((replies.shift() ?? done)()))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

/** A dialog that gives these answers, one for each question. */
function aDialog(...replies: boolean[]): { count: number } {
  const dialog = { count: 0 }
  browser.proof.subscribeQuestions(() => {
    const question = browser.proof.readQuestion()
    if (question === undefined) return
    dialog.count += 1
    const isProved = replies.shift()
    if (isProved !== undefined) setTimeout(() => browser.proof.answerQuestion(question, isProved))
  })
  return dialog
}

const Answer = z.object({ name: z.string() })
const save = { method: 'POST', body: { name: 'as it was typed' } } as const

test('a call that needs a proof is made again with what was typed, once there is one', async () => {
  const fetch = answers(needed, done)
  const dialog = aDialog(true)
  expect(await browser.api.request('/a/path', Answer, save)).toEqual({ name: 'saved' })
  expect(dialog.count).toBe(1)
  expect(fetch.mock.calls.map(([, init]) => init?.body)).toEqual(Array(2).fill('{"name":"as it was typed"}'))
  expect(browser.proof.readQuestion()).toBeUndefined()
})

test('without a proof the call fails with a sentence, and is not made again', async () => {
  const fetch = answers(needed)
  aDialog(false)
  await expect(browser.api.request('/a/path', Answer, save)).rejects.toMatchObject({
    kind: 'refused',
    status: 403,
    message: 'Your password was not confirmed, so nothing was done. Please try again.',
  })
  expect(fetch).toHaveBeenCalledOnce()
})

test('a second refusal after a proof is told as it is', async () => {
  answers(needed, needed)
  const dialog = aDialog(true)
  await expect(browser.api.request('/a/path', Answer, save)).rejects.toThrow('Please confirm.')
  expect(dialog.count).toBe(1)
})

test('two calls at once ask once, and one that was refused before the proof was given asks no more', async () => {
  const late = Promise.withResolvers<Response>()
  const fetch = vi
    .fn<typeof globalThis.fetch>(() => Promise.resolve(done()))
    .mockReturnValueOnce(Promise.resolve(needed()))
    .mockReturnValueOnce(Promise.resolve(needed()))
    .mockReturnValueOnce(late.promise)
  vi.stubGlobal('fetch', fetch)
  const dialog = aDialog(true)
  const calls = [1, 2, 3].map(() => browser.api.request('/a/path', Answer, save))
  await Promise.all(calls.slice(0, 2))
  late.resolve(needed())
  expect(await calls[2]).toEqual({ name: 'saved' })
  expect(dialog.count).toBe(1)
  expect(fetch).toHaveBeenCalledTimes(6)
})

test('the question goes when nobody waits for it, and when the session ends or is another', async () => {
  answers(needed, needed, needed)
  const dialog = aDialog()
  const abort = new AbortController()
  const call = browser.api.request('/a/path', Answer, { ...save, signal: abort.signal })
  await expect.poll(() => browser.proof.readQuestion()).toBeDefined()
  abort.abort()
  await expect(call).rejects.toThrow()
  expect(browser.proof.readQuestion()).toBeUndefined()

  const another = browser.api.request('/a/path', Answer, save)
  await expect.poll(() => browser.proof.readQuestion()).toBeDefined()
  browser.sessions.clearSession()
  await expect(another).rejects.toThrow()
  expect(browser.proof.readQuestion()).toBeUndefined()
  expect(dialog.count).toBe(2)
})

test('the question waits for the dialogs, which are loaded after the page; where none come the call fails', async () => {
  answers(needed, done, needed)
  const call = browser.api.request('/a/path', Answer, save)
  await expect.poll(() => browser.proof.readQuestion()).toBeDefined()
  const unsubscribe = browser.proof.subscribeQuestions(() => undefined)
  const question = browser.proof.readQuestion()
  if (question !== undefined) browser.proof.answerQuestion(question, true)
  expect(await call).toEqual({ name: 'saved' })
  unsubscribe()

  await expect.poll(() => browser.proof.readQuestion()).toBeUndefined()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    // Sent later than the proof was given.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
    const vain = browser.api.request('/a/path', Answer, save).catch((error: unknown) => error)
    await vi.waitUntil(() => browser.proof.readQuestion() !== undefined, { timeout: 20_000 })
    vi.advanceTimersByTime(10_000)
    expect(String(await vain)).toContain('Your password was not confirmed')
  } finally {
    vi.useRealTimers()
  }
})

test('a file waits for the proof before it is sent, and is not sent without one', async () => {
  const aged = (ageSeconds: number) => () => new Response(JSON.stringify({ ageSeconds }))
  const file = new Blob(['a long file'], { type: 'text/csv' })
  const send = () => browser.api.request('/files', Answer, { method: 'POST', file })
  const paths = (fetch: ReturnType<typeof answers>) => fetch.mock.calls.map(([path]) => path)

  const young = answers(aged(58 * 60), done)
  const dialog = aDialog(true, false)
  await send()
  expect(paths(young)).toEqual(['/auth/proof', '/files'])
  expect(dialog.count).toBe(0)

  const old = answers(aged(59 * 60), done)
  await send()
  expect(paths(old)).toEqual(['/auth/proof', '/files'])
  expect(dialog.count).toBe(1)

  const refused = answers(aged(60 * 60))
  await expect(send()).rejects.toThrow('Your password was not confirmed')
  expect(paths(refused)).toEqual(['/auth/proof'])
})

test('an answer with a new token lets the session go on under it, before anything else is asked', async () => {
  answers(() => new Response('{"name":"saved","token":"two"}'))
  const { subscribeChanges } = await import('./follow-changes.ts')
  const tokens: unknown[] = []
  subscribeChanges(() => tokens.push(browser.sessions.current().session?.token))
  browser.sessions.storeAccess('one', { state: 'known', isVip: false, isAdmin: true })
  await browser.api.request('/a/path', Answer, { ...save, renewsToken: true })
  expect(browser.sessions.current()).toMatchObject({
    session: { token: 'two', name: 'Jane', email: 'jane@readers.example' },
    access: { state: 'known', isAdmin: true },
  })
  expect(tokens).toEqual(['two'])
  expect(window.localStorage.getItem('Token')).toBe('two')
})

test('calls of a page that nobody is at say so, and somebody who writes is told of', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const fetch = answers()
  const isUnattended = async (): Promise<boolean> => {
    await browser.api.request('/a/path', Answer)
    return JSON.stringify(fetch.mock.lastCall?.[1]?.headers).includes('x-unattended')
  }
  expect(await isUnattended()).toBe(false)
  vi.advanceTimersByTime(61_000)
  expect(await isUnattended()).toBe(true)
  browser.signs.get('keydown')?.()
  expect(await isUnattended()).toBe(false)

  const told = vi.fn<() => void>()
  const end = browser.presence.watchPresence(told, 300_000)
  const press = browser.signs.get('keydown')
  press?.()
  expect(told).not.toHaveBeenCalled()
  vi.advanceTimersByTime(300_000)
  press?.()
  press?.()
  expect(told).toHaveBeenCalledOnce()
  end()
})
