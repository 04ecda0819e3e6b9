import type { AppError } from '../platform/errors.ts'
import { busyPage, isSiteBusy } from './pages/busy-page.ts'
import { pagePathOf } from './pages/data-address.ts'
import type { CachedResponse, Rendered } from './cache/response-cache.ts'
import { canonicalPath, canonicalQuery } from './canonical-address.ts'
import type { FinishedAnswers } from './finished-answers.ts'
import type { Page } from './pages/page.ts'
import type { PageVisit, SentForm } from './pages/page-visit.ts'
import { refusalOf, renderPage } from './pages/render-page.ts'
import type { HttpApp, ServerParts } from './server-parts.ts'

/** An answer to a request for a page, or where the page is. */
export type PageReply = { answer: CachedResponse; refusal: AppError | undefined } | { movedTo: string }

/** A request that a page was found for, or none. */
export interface PageCall {
  page: Page | undefined
  pattern: string
  url: URL
  method: 'GET' | 'HEAD' | 'POST'
  /** Tells the caller's network address. */
  callerAddress: () => string
  /** What was sent with a POST. */
  form: SentForm | undefined
}

/** The page of an address; without one, a file of a build before or the page that says that nothing is there. */
export async function runPage<App extends HttpApp, Viewer>(
  app: App,
  { page, pattern, url, method, callerAddress, form }: PageCall,
  { renderer, content }: ServerParts<App, Viewer>,
  finished: FinishedAnswers<App, Viewer>,
): Promise<PageReply> {
  const formerAsset = page === undefined ? await finished.formerAsset(url.pathname) : undefined
  if (formerAsset !== undefined) return { answer: formerAsset, refusal: undefined }
  const path = canonicalPath(page, url.pathname)
  if (path !== url.pathname && method !== 'POST') return { movedTo: path + url.search }
  // The rest of the query is the browser's: it makes no other page, and it may be a secret, which no key may hold.
  const address = new URL(url)
  address.search = canonicalQuery(page, url.pathname, url.search)
  const { publicUrl } = app.config
  const visit: PageVisit | undefined =
    page?.kind === 'uncached' || method === 'POST' ? visitOf({ method, url, callerAddress, form }) : undefined
  const render = (): Promise<Rendered> => renderPage(renderer, { publicUrl, address, pattern, page, visit })
  const isKept = visit === undefined && content.isCurrent
  try {
    const answer = isKept
      ? await finished.get('page', address.pathname + address.search, { make: render, callerAddress })
      : await app.rendering.run({ address: callerAddress() }, async () => (await render()).build())
    return { answer, refusal: refusalOf(answer) }
  } catch (error) {
    // To render this is what there is no time for.
    if (!isSiteBusy(error) || pagePathOf(url.pathname) !== undefined) throw error
    return { answer: busyPage(error), refusal: error }
  }
}

function visitOf({
  method,
  url,
  callerAddress,
  form,
}: Pick<PageCall, 'method' | 'url' | 'callerAddress' | 'form'>): PageVisit {
  return {
    method,
    // Most pages do not ask.
    get address() {
      return callerAddress()
    },
    ...(form === undefined ? {} : { form, query: url.searchParams }),
  }
}
