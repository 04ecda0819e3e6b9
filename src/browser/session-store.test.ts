import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as SessionStore from './session-store.ts'

/** A store as `window` has them; tabs share `localStorage` and have a `sessionStorage` each. */
function aStore(): Storage {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  } as unknown as Storage
}

const session = { token: 'the-token-of-the-member', name: 'Jane', email: 'jane@readers.example' }
const stranger = { token: 'the-token-of-a-stranger', name: 'Mallory', email: 'mallory@readers.example' }

/* A channel has no target: the rule means windows. */
/* oxlint-disable unicorn/require-post-message-target-origin */

/** Another script of this origin: hears all that the tabs say. */
let outsider: BroadcastChannel
let heard: unknown[]
let localStorage: Storage

type Tab = typeof SessionStore & { sessionStorage: Storage }

/** A tab with the copy of the module that it would load. */
async function openTab(sessionStorage = aStore()): Promise<Tab> {
  vi.resetModules()
  const store = await import('./session-store.ts')
  vi.stubGlobal('localStorage', localStorage)
  vi.stubGlobal('window', { localStorage, sessionStorage, addEventListener() {} })
  store.current()
  return { ...store, sessionStorage }
}

/** Messages of a channel come a moment later, in their order. */
async function delivered(): Promise<void> {
  const [from, to] = [new BroadcastChannel('probe'), new BroadcastChannel('probe')]
  await new Promise((resolve) => {
    to.addEventListener('message', resolve)
    from.postMessage('')
  })
  from.close()
  to.close()
  await new Promise((resolve) => setTimeout(resolve, 20))
}

const channels: BroadcastChannel[] = []

beforeEach(() => {
  localStorage = aStore()
  heard = []
  const Real = BroadcastChannel
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Real {
      constructor(name: string) {
        super(name)
        channels.push(this)
      }
    },
  )
  outsider = new BroadcastChannel('session')
  outsider.addEventListener('message', ({ data }: MessageEvent<unknown>) => heard.push(data))
})
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close()
  vi.unstubAllGlobals()
})

test('a tab gives its session to nobody who asks, also when it opens it', async () => {
  const tab = await openTab()
  tab.openSession(session, false)
  for (const kind of ['ask', 'offer', 'opened']) outsider.postMessage({ kind, session: stranger })
  await delivered()
  expect(heard).toEqual([])
  expect(tab.current().session).toEqual(session)
  const other = await openTab()
  await delivered()
  expect(other.current()).toMatchObject({ isSettled: true, session: undefined })
})

test('a tab takes a session from nobody, and ends it at nobody\u2019s word who does not know its token', async () => {
  const tab = await openTab()
  for (const kind of ['offer', 'opened']) outsider.postMessage({ kind, session: stranger })
  await delivered()
  expect(tab.current().session).toBeUndefined()
  tab.openSession(session, false)
  for (const message of [
    { kind: 'closed' },
    { ended: '' },
    { ended: undefined },
    null,
    'closed',
    { ended: session.email },
  ])
    outsider.postMessage(message)
  await delivered()
  expect(tab.current().session).toEqual(session)
})

test('a session that ends, ends in the tabs that have it, and what they are told says nothing of the token', async () => {
  const tab = await openTab()
  tab.openSession(session, false)
  // As a browser duplicates a tab: with a copy of its storage.
  const copy = aStore()
  copy.setItem('Token', session.token)
  const duplicate = await openTab(copy)
  const elsewhere = await openTab()
  elsewhere.openSession(stranger, false)
  expect(duplicate.current().session?.token).toBe(session.token)
  tab.clearSession()
  await delivered()
  expect(duplicate.current()).toMatchObject({ isSettled: true, session: undefined })
  expect(elsewhere.current().session).toEqual(stranger)
  expect(heard).toHaveLength(1)
  expect(JSON.stringify(heard)).not.toContain(session.token)
  expect(JSON.stringify(heard).length).toBeLessThan(40)
})
