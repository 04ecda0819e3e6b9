const storageKey = 'wish'

/** A wish is forgotten after so long. */
const lastsMs = 60 * 60_000

/** Notes that a guest wants to save an entry, until they have signed in in this tab. */
export function noteWish(slug: string): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ slug, at: Date.now() }))
  } catch {
    // They press again once they have signed in.
  }
}

/** The entry that was wished for, once. */
export function takeWish(): string | undefined {
  try {
    const { slug, at } = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as { slug?: unknown; at?: unknown }
    sessionStorage.removeItem(storageKey)
    return typeof slug === 'string' && typeof at === 'number' && Date.now() - at < lastsMs ? slug : undefined
  } catch {
    return undefined
  }
}
