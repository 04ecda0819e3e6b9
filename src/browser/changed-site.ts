/**
 * Whether what every page knows of the site, such as its name, has been changed in this browser since this tab has fetched
 * it. The mark stands in the storage: it reaches the other tabs too.
 */

const key = 'site-changed'

/** The mark at the time of the last fetch; the page itself is the first. */
let fetchedAt = readMark()

/** Notes that the site was changed: every tab of this browser fetches it anew with its next navigation. */
export function recordChangedSite(now = Date.now()): void {
  try {
    localStorage.setItem(key, String(now))
  } catch {
    // Other tabs learn it when they are loaded anew.
  }
}

/** Asked as often as the router likes: it stays true until what was changed has been fetched. */
export function isSiteChanged(): boolean {
  return readMark() !== fetchedAt
}

/** Fetches the site, and knows it from then on. */
export async function fetchChangedSite<T>(fetch: () => Promise<T>): Promise<T> {
  const mark = readMark()
  const site = await fetch()
  fetchedAt = mark
  return site
}

function readMark(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // A server, or a browser that keeps nothing.
    return null
  }
}
