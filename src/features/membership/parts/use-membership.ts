import { useCallback, useEffect, useRef, useState } from 'react'
import { callApi, NetworkError } from '../../accounts/call-api.ts'
import { current } from '../../accounts/session-store.ts'
import type { MembershipForMember } from '../read-membership.server.ts'

/** What is known of the caller's membership. An earlier answer stays when a later question fails. */
export interface KnownMembership {
  membership: MembershipForMember | undefined
  hasFailed: boolean
  isAsking: boolean
  tryAgain: () => void
}

/** Whoever only looks at another tab for a moment has not been to the portal. */
const soonestMs = 2_000

/**
 * The caller's membership; asked for again when he comes back to this tab, from the billing portal as it may be.
 * @param onNews told of each answer
 */
export function useMembership(onNews?: (membership: MembershipForMember) => void): KnownMembership {
  const [membership, setMembership] = useState<MembershipForMember>()
  const [hasFailed, setHasFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const [answered, setAnswered] = useState<number>()
  const askedAt = useRef(0)
  const hear = useRef(onNews)
  useEffect(() => {
    hear.current = onNews
  }, [onNews])

  const tryAgain = useCallback(() => setAttempt((attempts) => attempts + 1), [])

  useEffect(() => {
    const overtaken = new AbortController()
    const ask = async (): Promise<void> => {
      askedAt.current = performance.now()
      const found = await read(overtaken.signal)
      if (overtaken.signal.aborted) return
      setAnswered(attempt)
      setHasFailed(found === undefined)
      if (found === undefined) return
      setMembership(found)
      hear.current?.(found)
    }
    void ask()
    return () => overtaken.abort()
  }, [attempt])

  useEffect(() => {
    const comeBack = (): void => {
      const isTime = performance.now() - askedAt.current > soonestMs
      if (document.visibilityState === 'visible' && isTime && current().session !== undefined) tryAgain()
    }
    document.addEventListener('visibilitychange', comeBack)
    return () => document.removeEventListener('visibilitychange', comeBack)
  }, [tryAgain])

  return { membership, hasFailed, isAsking: answered !== attempt, tryAgain }
}

/** @returns undefined when it could not be had */
async function read(signal: AbortSignal): Promise<MembershipForMember | undefined> {
  try {
    const { ok, data } = await callApi('/pay/membership', { signal })
    // Something between here and the server may answer in its place, with a page of its own.
    const isOne = ok && Array.isArray((data as { payments?: unknown } | null | undefined)?.payments)
    return isOne ? (data as MembershipForMember) : undefined
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}
