import { useEffect } from 'react'
import { ApiError } from '../../../browser/api-client.ts'
import { watchPresence } from '../../../browser/presence.ts'
import { current } from '../../../browser/session-store.ts'
import { fetchAccess } from '../../office/viewer/load-profile.ts'

/** An administrator's session ends after 30 minutes without use: writing a long text is use. */
const everyMs = 5 * 60_000

/** While it is on, the server hears of people who write or read on a page without calls. */
export function usePresence(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined
    return watchPresence(() => void send(), everyMs)
  }, [isOn])
}

async function send(): Promise<void> {
  const token = current().session?.token
  if (token === undefined) return
  try {
    await fetchAccess(token)
  } catch (error) {
    // No word of it: nobody has asked for anything.
    if (!(error instanceof ApiError)) throw error
  }
}
