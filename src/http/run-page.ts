import type { AppError } from '../platform/errors.ts'
import type { CachedResponse, Rendered } from './cache/response-cache.ts'
import { canonicalPath, canonicalQuery } from './canonical-address.ts'
import type { FinishedAnswers } from './finished-answers.ts'
import type { Page } from './pages/page.ts'
import { refusalOf, renderPage } from './pages/render-page.ts'
import type { HttpApp, ServerParts } from './server-parts.ts'

/** An answer to a request for a page, or where the page is. */
export type PageReply = { answer: CachedResponse; refusal: AppError | undefined } | { movedTo: string }

/** The page of an address; without one, a file of a build before or the page that says that nothing is there. */
export async function runPage<App extends HttpApp, Viewer>(
  app: App,
  { page, pattern, url }: { page: Page | undefined; pattern: string; url: URL },
  { renderer, content }: ServerParts<App, Viewer>,
  finished: FinishedAnswers<App, Viewer>,
): Promise<PageReply> {
  const formerAsset = page === undefined ? await finished.formerAsset(url.pathname) : undefined
  if (formerAsset !== undefined) return { answer: formerAsset, refusal: undefined }
  const path = canonicalPath(page, url.pathname)
  if (path !== url.pathname) return { movedTo: path + url.search }
  // The rest of the query is the browser's: it makes no other page, and it may be a secret, which no key may hold.
  const address = new URL(url)
  address.search = canonicalQuery(page, url.pathname, url.search)
  const { publicUrl } = app.config
  const render = (): Promise<Rendered> => renderPage(renderer, { publicUrl, address, pattern })
  const isKept = page?.kind !== 'uncached' && content.isCurrent
  const answer = isKept
    ? await finished.get('page', address.pathname + address.search, render)
    : (await render()).build()
  return { answer, refusal: refusalOf(answer) }
}
