import type { NavigateFunction } from 'react-router'
import { wayTo } from '../../../accounts/parts/auth-links.ts'
import { noteWish } from './wish.ts'
import { ApiError, callApi, usualSentence } from '../../../../browser/api-client.ts'
import { current, subscribeSession } from '../../../../browser/session-store.ts'
import type { ReadersMemory } from '../../saved/saved-schema.ts'
import { signOfGuest } from './guest-visit.ts'

/*
 * All that this tab knows of its reader: what is new to them, and what they have saved. It is loaded when it is first needed, and
 * ends with the session. Public pages load neither the library of queries nor that of schemas, so it has neither.
 */

export interface Memory {
  /** When the visit before ended, in milliseconds since 1970; undefined in the first one. */
  newSince: number | undefined
  /** The slugs of what is new; undefined for a guest, for whom days alone are known. */
  fresh: ReadonlySet<string> | undefined
  saved: ReadonlySet<string>
}

/** One sign in so long is enough. */
const signEveryMs = 5 * 60_000

let memory: Memory | undefined
/** The token of its session, or '' of a guest. */
let owner: string | undefined
let signedAt = -Infinity
let asking: Promise<void> | undefined
const listeners = new Set<() => void>()

export const memoryStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: (): Memory | undefined => (owner === ownerNow() ? memory : undefined),
}

function ownerNow(): string {
  return current().session?.token ?? ''
}

function set(next: Memory | undefined): void {
  memory = next
  for (const listener of listeners) listener()
}

let isFollowing = false

function follow(): void {
  if (isFollowing) return
  isFollowing = true
  subscribeSession(() => {
    if (owner !== undefined && owner !== ownerNow()) {
      set(undefined)
      void noteSign()
    }
  })
}

/** Notes a sign of the reader, at most one in five minutes, and learns what is new to them. It never fails: without an answer nothing is drawn. */
export async function noteSign(): Promise<void> {
  follow()
  const whose = ownerNow()
  if (owner === whose && performance.now() - signedAt < signEveryMs) return asking
  owner = whose
  signedAt = performance.now()
  if (whose === '') {
    set({ newSince: signOfGuest().newSince, fresh: undefined, saved: new Set() })
    return
  }
  asking = ask(whose)
  return asking
}

async function ask(token: string): Promise<void> {
  try {
    const { ok, data } = await callApi('/account/visit', { method: 'POST', token })
    if (owner !== token) return
    if (!ok) throw new ApiError('unreadable')
    const { newSince, fresh, saved } = data as ReadersMemory
    set({
      newSince: newSince === null ? undefined : Date.parse(newSince),
      fresh: new Set(fresh),
      saved: new Set(saved),
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The next sign asks again.
    signedAt = -Infinity
  }
}

/**
 * Saves an entry, or takes it out. The sign changes at once, and back where the server says no.
 * @returns whether it is saved now, and why not where the server said no
 */
export async function toggleSaved(slug: string): Promise<{ isSaved: boolean; failure?: string }> {
  await noteSign()
  const known = memoryStore.read()
  const isSaved = known?.saved.has(slug) !== true
  mark(slug, isSaved)
  try {
    const reply = await callApi(`/account/saved-entries/${slug}`, { method: isSaved ? 'PUT' : 'DELETE' })
    if (!reply.ok) throw new ApiError('refused', { reply })
    keepPageOf(slug, isSaved)
    return { isSaved }
  } catch (error) {
    mark(slug, !isSaved)
    return { isSaved: !isSaved, failure: error instanceof ApiError ? error.message : usualSentence }
  }
}

/** Has its page open without a connection. Where that fails, the page opens with one. */
function keepPageOf(slug: string, isSaved: boolean): void {
  const link = document.querySelector<HTMLAnchorElement>(`#entries a[href$="/${CSS.escape(slug)}"]`)
  import('../../../../browser/kept/saved-pages.ts')
    .then(({ keepSavedPage }) => keepSavedPage(link?.pathname ?? location.pathname, isSaved))
    .catch(() => undefined)
}

function mark(slug: string, isSaved: boolean): void {
  if (memory === undefined) return
  const saved = new Set(memory.saved)
  if (isSaved) saved.add(slug)
  else saved.delete(slug)
  set({ ...memory, saved })
}

const busy = new Set<string>()

/**
 * Saves an entry, or takes it out. A guest signs in first: the wish waits for it.
 * @param only where it is saved already, nothing is done
 * @returns what has become of it, in a sentence; undefined where nothing was done
 */
export async function pressSave(
  slug: string,
  { isMember, navigate, only }: { isMember: boolean; navigate: NavigateFunction; only?: 'save' | undefined },
): Promise<{ isSaved: boolean; said: string } | undefined> {
  if (!isMember) {
    noteWish(slug)
    await navigate(wayTo('/login', window.location.pathname + window.location.search))
    return undefined
  }
  // A second press while the first is on its way would undo it unseen.
  if (busy.has(slug)) return undefined
  busy.add(slug)
  try {
    await noteSign()
    if (only === 'save' && memoryStore.read()?.saved.has(slug) === true) return undefined
    const { isSaved, failure } = await toggleSaved(slug)
    return { isSaved, said: failure ?? (isSaved ? 'Saved to your account.' : 'Removed from your saved entries.') }
  } finally {
    busy.delete(slug)
  }
}
