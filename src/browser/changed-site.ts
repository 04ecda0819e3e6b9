import { remember, remembered } from './remembered.ts'

/**
 * Whether what every page knows of the site, such as its name, has been changed in this browser since this tab has fetched
 * it. The mark stands in the storage: it reaches the other tabs too.
 */

const key = 'site-changed'

/** The mark at the time of the last fetch; the page itself is the first. */
let fetchedAt = remembered(key)

/** Notes that the site was changed: every tab of this browser fetches it anew with its next navigation. */
export function recordChangedSite(now = Date.now()): void {
  remember(key, String(now))
}

/** Asked as often as the router likes: it stays true until what was changed has been fetched. */
export function isSiteChanged(): boolean {
  return remembered(key) !== fetchedAt
}

/** Fetches the site, and knows it from then on. */
export async function fetchChangedSite<T>(fetch: () => Promise<T>): Promise<T> {
  const mark = remembered(key)
  const site = await fetch()
  fetchedAt = mark
  return site
}
