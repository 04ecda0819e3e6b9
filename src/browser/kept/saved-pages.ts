import { current } from '../session-store.ts'
import { isKeptOffline, keepFilesOf, keepPage, savedCache } from './kept-pages.ts'

const maxSaved = 100
const freshMs = 24 * 60 * 60_000

/** Has the pages of these entries open without a connection, the first hundred, and of no others. */
export async function keepSavedPages(paths: readonly string[]): Promise<void> {
  const cache = await caches.open(savedCache)
  const wanted = paths
    .map((path) => new URL(path, location.origin))
    .filter(isKeptOffline)
    .slice(0, maxSaved)
    .map(({ href }) => href)
  for (const { url } of await cache.keys()) if (!wanted.includes(url)) await cache.delete(url)
  for (const address of wanted) {
    if (current().session === undefined) return
    if (!isFresh(await cache.match(address))) await keepWhole(address, savedCache)
  }
}

/** The same with one entry more, or one less. */
export async function keepSavedPage(path: string, isSaved: boolean): Promise<void> {
  const page = new URL(path, location.origin)
  if (!isSaved) await (await caches.open(savedCache)).delete(page.href)
  else if (isKeptOffline(page)) await keepWhole(page.href, savedCache)
}

export async function keepWhole(address: string, name?: string): Promise<void> {
  const answer = await fetch(address)
  await keepPage(address, answer.clone(), name)
  if (answer.status === 200) await keepFilesOf(await answer.text())
}

function isFresh(answer: Response | undefined): boolean {
  return answer !== undefined && Date.now() - Date.parse(answer.headers.get('date') ?? '') < freshMs
}
