import { clearSession } from '../../../browser/session-store.ts'

/** After an account was deleted: nothing stays in this browser, and a new page begins as for a stranger. */
export function leaveForGood(): void {
  clearSession()
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      window[name].clear()
    } catch {
      // Storage that could not be written needs no clearing.
    }
  }
  window.location.replace('/')
}
