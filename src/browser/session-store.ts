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
  /** They administer the site, but not before they have set up a second factor. */
  needsSecondFactor?: boolean
}

export interface SessionState {
  /** False on the server and until the page has come to life: nobody has looked into the browser's storage yet. */
  isSettled: boolean
  session: Session | undefined
  access: Access
  /** Signed out here, but the server was unreachable: there the session lives on until it lapses. */
  isSignOutUntold?: boolean
}

const nothingKnown: Access = { state: 'unknown', isVip: false, isAdmin: false }
const signedOut: SessionState = { isSettled: true, session: undefined, access: nothingKnown }
/** On the server, and until the page has come to life: nobody knows. */
const onServer: SessionState = { isSettled: false, session: undefined, access: nothingKnown }

const storageKeys = { token: 'Token', name: 'name', email: 'email' } as const

/**
 * All that tabs tell each other: that a session has ended. It names no token, and only a tab that has the token can name the
 * session. No tab gives a session to another or takes one from it: whatever script of this origin asks, it has no way to
 * prove that it may (docs/decisions/2026-11-22-one-session-a-tab.md).
 */
interface Ended {
  ended: string
}

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
 * Keeps a session that the server has just opened. Remembered, it outlives the browser and is that of all its tabs;
 * otherwise it is this tab's, and ends with it.
 */
export function openSession(session: Session, isRemembered: boolean): void {
  current()
  clearStores()
  forgetSaved()
  write(isRemembered ? 'localStorage' : 'sessionStorage', session)
  set({ isSettled: true, session, access: nothingKnown })
}

/**
 * The session goes on under another token, in this tab and, remembered, in all others: what is open stays open.
 * @param token undefined where an answer has brought none: then nobody can go on
 */
export function renewToken(former: string, token: string | undefined): void {
  const { session, access } = current()
  if (session?.token !== former) return
  if (token === undefined) {
    clearSession()
    return
  }
  const renewed = { ...session, token }
  // Remembered, the storage event tells the others.
  write(readFrom('localStorage') === undefined ? 'sessionStorage' : 'localStorage', renewed)
  set({ isSettled: true, session: renewed, access })
}

/** The pages of saved entries (kept/kept-pages.ts), which the next one on this device need not see. */
function forgetSaved(): void {
  void globalThis.caches?.delete('daybook-saved')
}

/** Removes the session in all tabs that have it, without asking the server. */
export function clearSession(): void {
  const { session } = current()
  clearStores()
  set(signedOut)
  if (session === undefined) return
  broadcast({ ended: markOf(session.token) })
  forgetSaved()
}

/** Notes whether the last sign-out failed to reach the server; false once the visitor knows. */
export function storeUntoldSignOut(isSignOutUntold: boolean): void {
  if (current().session === undefined) set({ ...signedOut, isSignOutUntold })
}

/** Removes the session that a rejected token belonged to, unless another has taken its place meanwhile. */
export function clearToken(token: string): void {
  if (current().session?.token === token) clearSession()
}

export function storeAccess(token: string, access: Access): void {
  const { session } = current()
  if (session?.token === token) set({ isSettled: true, session, access })
}

/**
 * Stores the present name and address of this token's account: they are sent with a purchase. A session whose address
 * was removed from storage gets none: it buys nothing before another sign-in.
 */
export function storeIdentity(token: string, { name, email }: Pick<Session, 'name' | 'email'>): void {
  const { session, access } = current()
  if (session?.token !== token || session.email === '' || (session.name === name && session.email === email)) return
  const next = { token, name, email }
  write(readFrom('localStorage')?.token === token ? 'localStorage' : 'sessionStorage', next)
  set({ isSettled: true, session: next, access })
}

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
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => hear(data))
  }
  const session = read()
  // One that was not remembered has ended with its tab.
  if (session === undefined) forgetSaved()
  return { isSettled: true, session, access: nothingKnown }
}

/** The stored session may have changed, without this page having done it. */
function follow(): void {
  const session = read()
  if (session?.token !== current().session?.token) set({ isSettled: true, session, access: accessOf(session) })
}

/** Roles are known of a person, until they are asked for anew: another token of theirs closes no page. */
function accessOf(next: Session | undefined): Access {
  const { session, access } = current()
  return next !== undefined && next.email === session?.email ? access : nothingKnown
}

/** A tab that was duplicated has the same session, where no storage event comes. */
function hear(message: unknown): void {
  const { session } = current()
  const { ended } = (message ?? {}) as Partial<Ended>
  if (session === undefined || ended !== markOf(session.token)) return
  clearStores()
  set(signedOut)
}

/** 64 bits of FNV-1a: of a token of 256 random bits they tell too little to guess the rest. */
function markOf(token: string): string {
  let mark = 0xcbf29ce484222325n
  for (let i = 0; i < token.length; i += 1) {
    mark = BigInt.asUintN(64, (mark ^ BigInt(token.charCodeAt(i))) * 0x100000001b3n)
  }
  return mark.toString(36)
}

function broadcast(message: Ended): void {
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
    // Without storage the session holds for this page.
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
