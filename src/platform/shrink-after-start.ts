import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Not in the first moments, in which visitors may have waited for the start: it stops the process for some 60 ms. */
const afterMs = 30_000

/**
 * Collects all garbage once, a while after the start. Some seconds after such a collection V8 gives back by itself what it does
 * not need, a sixth of the whole; a site that nobody asks comes to none (docs/decisions/2026-12-01-where-the-memory-is.md).
 */
export function shrinkAfterStart(): void {
  setTimeout(() => {
    // A context that is made while the flag is set has the function; nothing else gets it.
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
    collect()
  }, afterMs).unref()
}
