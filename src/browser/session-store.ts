import { useSyncExternalStore } from 'react'

/** The part of a session that the browser stores (docs/spec/words.md#browser-storage). */
export interface Session {
  token: string
  name: string
  email: string
}

/**
 * The caller's roles, as far as they are known. The server decides on every call; these flags only say what to offer.
 *
 * `unknown`: not asked yet. `known`: the server has answered. `unreachable`: it could not be asked, which is no
 * rejection: the flags are down, the token stays.
 */
export interface Access {
  state: 'unknown' | 'known' | 'unreachable'
  isVip: boolean
  isAdmin: boolean
}

export interface SessionState {
  /** False until the other tabs have had a moment to hand over a session that this one does not know. */
  isSettled: boolean
  session: Session | undefined
  access: Access
  /** Signed out here, but the server could not be told: there the session lives on until it lapses. */
  isSignOutUntold?: boolean
}

const nothingKnown: Access = { state: 'unknown', isVip: false, isAdmin: false }
const signedOut: SessionState = { isSettled: true, session: undefined, access: nothingKnown }
/** On the server, and until the page has come to life: nobody knows. */
const onServer: SessionState = { isSettled: false, session: undefined, access: nothingKnown }

const storageKeys = { token: 'Token', name: 'name', email: 'email' } as const
/** How long a new tab waits for another one to hand over its session. */
const handOverMs = 150

type Message =
  | { kind: 'ask' }
  | { kind: 'opened'; session: Session }
  | { kind: 'offer'; session: Session }
  | { kind: 'closed' }

let state: SessionState | undefined
let channel: BroadcastChannel | undefined
const listeners = new Set<() => void>()

/** The session of this browser, alive: it follows what other tabs do. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribeSession, current, () => onServer)
}

/** The state at this moment, for what runs outside of a component. */
export function current(): SessionState {
  state ??= begin()
  return state
}

/**
 * Keeps a session that the server has just opened. Remembered, it outlives the browser; otherwise it lives in the tabs
 * of this browser, each of which hands it on to new ones, and ends with the last.
 */
export function openSession(session: Session, isRemembered: boolean): void {
  current()
  clearStores()
  write(isRemembered ? 'localStorage' : 'sessionStorage', session)
  set({ isSettled: true, session, access: nothingKnown })
  // Remembered, the storage event tells the others.
  if (!isRemembered) tell({ kind: 'opened', session })
}

/** Removes the session in all tabs, without asking the server. */
export function clearSession(): void {
  current()
  clearStores()
  set(signedOut)
  tell({ kind: 'closed' })
}

/** Notes whether the last sign-out failed to reach the server; false once the visitor knows. */
export function noteUntoldSignOut(isSignOutUntold: boolean): void {
  if (current().session === undefined) set({ ...signedOut, isSignOutUntold })
}

/** Removes the session that a rejected token belonged to, unless another has taken its place meanwhile. */
export function clearToken(token: string): void {
  if (current().session?.token === token) clearSession()
}

/** Notes what the server said of the roles of this token. */
export function noteAccess(token: string, access: Access): void {
  const { session } = current()
  if (session?.token === token) set({ isSettled: true, session, access })
}

/** Calls a listener whenever the state has changed; returns how to end that. */
export function subscribeSession(listener: () => void): () => void {
  current()
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

/** Looks into the storage once, and listens to the other tabs from then on. */
function begin(): SessionState {
  window.addEventListener('storage', (event) => {
    if (event.storageArea === localStorage && (event.key === storageKeys.token || event.key === null)) follow()
  })
  // A page that was frozen when it was left has heard nothing meanwhile.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) follow()
  })
  if (typeof BroadcastChannel === 'function') {
    channel = new BroadcastChannel('session')
    channel.addEventListener('message', (event: MessageEvent<Message>) => hear(event.data))
  }
  const session = read()
  if (session !== undefined || channel === undefined) return { isSettled: true, session, access: nothingKnown }
  tell({ kind: 'ask' })
  setTimeout(() => {
    if (!current().isSettled) set(signedOut)
  }, handOverMs)
  return onServer
}

/** The stored session may have changed, without this page having done it. */
function follow(): void {
  const session = read()
  if (session?.token !== current().session?.token) set({ isSettled: true, session, access: nothingKnown })
}

function hear(message: Message): void {
  const { session } = current()
  switch (message.kind) {
    case 'ask':
      // A remembered session is found in the storage.
      if (session !== undefined && readFrom('localStorage') === undefined) tell({ kind: 'offer', session })
      return
    case 'offer':
      if (session === undefined) adopt(message.session)
      return
    case 'opened':
      adopt(message.session)
      return
    case 'closed':
      clearStores()
      if (session !== undefined) set(signedOut)
  }
}

function adopt(session: Session): void {
  clearStores()
  write('sessionStorage', session)
  set({ isSettled: true, session, access: nothingKnown })
}

function tell(message: Message): void {
  // A channel has no target: it reaches this origin alone. The rule means windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(message)
}

type StoreName = 'localStorage' | 'sessionStorage'

function read(): Session | undefined {
  return readFrom('localStorage') ?? readFrom('sessionStorage')
}

function readFrom(name: StoreName): Session | undefined {
  try {
    const store = window[name]
    const token = store.getItem(storageKeys.token)
    if (token === null || token === '') return undefined
    return { token, name: store.getItem(storageKeys.name) ?? '', email: store.getItem(storageKeys.email) ?? '' }
  } catch {
    return undefined
  }
}

function write(name: StoreName, session: Session): void {
  try {
    const store = window[name]
    // The token last: it is what the other tabs look for.
    store.setItem(storageKeys.name, session.name)
    store.setItem(storageKeys.email, session.email)
    store.setItem(storageKeys.token, session.token)
  } catch {
    // Where nothing may be kept, the session holds for this page.
  }
}

function clearStores(): void {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      for (const key of Object.values(storageKeys)) window[name].removeItem(key)
    } catch {
      // Storage that could not be written needs no clearing.
    }
  }
}
