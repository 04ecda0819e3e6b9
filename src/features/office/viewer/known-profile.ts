import { useSyncExternalStore } from 'react'
import { current, type Session, subscribeSession, useSession } from '../../../browser/session-store.ts'
import type { AccountForMember } from './viewer-schema.ts'

/*
 * The last known profile. The header shows it on every page, so it stands apart from the cache of the members' pages,
 * which no public page loads.
 */

interface KnownProfile {
  token: string
  profile: AccountForMember
  /** When it came, as `performance.now()` has it. */
  at: number
}

let known: KnownProfile | undefined
let isFollowing = false
const listeners = new Set<() => void>()

/** Keeps a profile for as long as its session is the one of this browser. */
export function storeProfile(token: string, profile: AccountForMember): void {
  if (current().session?.token !== token) return
  if (!isFollowing) {
    isFollowing = true
    subscribeSession(() => {
      const { session } = current()
      if (known !== undefined && known.token !== session?.token) set(handedOn(known, session))
    })
  }
  set({ token, profile, at: performance.now() })
}

/**
 * The same person under another token: what is shown of them stays until it is asked for anew, which is at once. Their key
 * belongs to the session and goes with it.
 */
function handedOn({ profile }: KnownProfile, session: Session | undefined): KnownProfile | undefined {
  if (session === undefined || session.email !== profile.email) return undefined
  const { adminKey: _ended, ...lasting } = profile
  return { token: session.token, profile: lasting, at: Number.NEGATIVE_INFINITY }
}

/** The profile of the session with this token, where it is known. */
export function knownProfile(token: string | undefined): KnownProfile | undefined {
  return known?.token === token ? known : undefined
}

/** The profile of the session of this browser, alive; undefined while it is not known. */
export function useKnownProfile(): AccountForMember | undefined {
  const { session } = useSession()
  const known = useSyncExternalStore(subscribe, read, () => undefined)
  return known !== undefined && known.token === session?.token ? known.profile : undefined
}

function set(next: KnownProfile | undefined): void {
  known = next
  for (const listener of listeners) listener()
}

function read(): KnownProfile | undefined {
  return known
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
