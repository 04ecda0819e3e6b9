/** The files of the frame, and the page that says that there is no connection. */
export const frameCache = 'daybook-frame'
const coverCache = 'daybook-covers'
const readCache = 'daybook-read'
export const savedCache = 'daybook-saved'

export const offlinePath = '/offline'

/** The files of some builds, and the covers of all kept entries. */
const maxFiles = 300
const maxRead = 40

/**
 * Whether a page may be kept in the browser: the start, the lists of free entries and their entries, which are the same for
 * everybody. No other page is, above all none of VIPs, accounts and administrators.
 */
export function isKeptOffline({ pathname }: Pick<URL, 'pathname'>): boolean {
  return pathname === '/' || /^\/(asian|western|banned|unknown)(\/[^/]+)?$/.test(pathname)
}

/** Keeps a page, or takes it out when it is not to be had any more; what was kept first goes first. */
export async function keepPage(address: string, answer: Response, name = readCache): Promise<void> {
  const cache = await caches.open(name)
  if (answer.status === 200 && !answer.redirected) {
    await cache.put(address, answer)
    if (name === readCache) await limit(cache, maxRead)
  } else if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
    for (const each of [readCache, savedCache]) await (await caches.open(each)).delete(address)
  }
}

/** Keeps the files that a page is made of, such as scripts, styles and covers. */
export async function keepFilesOf(html: string): Promise<void> {
  const [frame, covers] = [await caches.open(frameCache), await caches.open(coverCache)]
  for (const file of new Set(html.match(/\/(?:assets|covers)\/[\w.-]+(?:\/[\w.-]+)*/g))) {
    // The picture of shared links, which no page shows: the server draws it for whoever asks.
    if (file.endsWith('.png') || (await caches.match(file)) !== undefined) continue
    const answer = await fetch(file)
    if (answer.status === 200) await (file.startsWith('/covers/') ? covers : frame).put(file, answer)
  }
  for (const cache of [frame, covers]) await limit(cache, maxFiles)
}

async function limit(cache: Cache, most: number): Promise<void> {
  const kept = await cache.keys()
  for (const request of kept.slice(0, Math.max(0, kept.length - most))) await cache.delete(request)
}

export interface KeptPage {
  path: string
  title: string
  isSaved: boolean
}

/** Those that are kept, saved entries first, then what was read last. */
export async function listKeptPages(): Promise<KeptPage[]> {
  const pages = new Map<string, KeptPage>()
  for (const name of [savedCache, readCache]) {
    const cache = await caches.open(name)
    for (const { url } of (await cache.keys()).toReversed()) {
      const { pathname, search } = new URL(url)
      const path = pathname + search
      const answer = pages.has(path) ? undefined : await cache.match(url)
      if (answer !== undefined)
        pages.set(path, { path, title: titleOf(await answer.text()) ?? path, isSaved: name === savedCache })
    }
  }
  return [...pages.values()]
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** Its title without the site's name, as the server writes it: no page takes text for markup. */
function titleOf(html: string): string | undefined {
  const [, title] = /<title>([^<]*)<\/title>/.exec(html) ?? []
  return title?.replace(/ · [^·]*$/, '').replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
}
