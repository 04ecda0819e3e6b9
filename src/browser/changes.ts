/** Tells what counts of other things, such as the navigation, that something of this site has changed. */

const listeners = new Set<() => void>()

/** Called by a call that has written, and by a page that saw work of the server come to its end. */
export function notifyChange(): void {
  for (const listener of listeners) listener()
}

/** @returns ends it */
export function subscribeChanges(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
