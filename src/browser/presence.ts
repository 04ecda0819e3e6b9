/* Whether somebody is here. A session ends without use (docs/spec/accounts.md#sessions). Automatic requests of a
   page, such as the counts of the navigation, are no use; typing is, also before it is sent. */

/** Without a sign for this long, nobody is here. */
const awayAfterMs = 60_000
const signs = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/** As `performance.now()` has it; undefined until somebody asks. */
let lastSignAt: number | undefined
/** When the server last heard that somebody is here. */
let lastSentAt = 0

function recordSign(): void {
  lastSignAt = performance.now()
}

/** Records signs of presence from now on, beginning with the opening of the page. */
function follow(): number {
  for (const sign of signs) window.addEventListener(sign, recordSign, { capture: true, passive: true })
  return performance.now()
}

/**
 * Called for each call that is made with a session.
 * @returns whether nobody has done anything for a while: the call is then none of theirs
 */
export function isUnattended(): boolean {
  if (typeof window === 'undefined') return false
  lastSignAt ??= follow()
  const now = performance.now()
  if (now - lastSignAt > awayAfterMs) return true
  lastSentAt = now
  return false
}

/**
 * Reports the presence of a person who has called nothing for a while, such as the writer of a long text.
 * @param everyMs how long the server may hear nothing of them
 * @returns ends it
 */
export function watchPresence(send: () => void, everyMs: number): () => void {
  const hear = (): void => {
    if (performance.now() - lastSentAt < everyMs) return
    // Not once for each key while the call is on its way.
    lastSentAt = performance.now()
    send()
  }
  for (const sign of signs) window.addEventListener(sign, hear, { passive: true })
  return () => {
    for (const sign of signs) window.removeEventListener(sign, hear)
  }
}
