import { type AppError, isAppError } from '../platform/errors.ts'
import type { CachedResponse } from './cache/cached-response.ts'
import type { Rendered } from './cache/response-cache.ts'
import { canonicalPath, canonicalQuery } from './canonical-address.ts'
import { type FinishedAnswers, pageKey } from './finished-answers.ts'
import { type ReceivedForm, readForm } from './page-form.ts'
import { pagePathOf } from './pages/data-address.ts'
import type { Page } from './pages/page.ts'
import type { PageVisit, SentForm } from './pages/page-visit.ts'
import { isShownPlainly, plainPage } from './pages/plain-page.ts'
import { refusalOf, renderPage } from './pages/render-page.ts'
import { limitRefusedForms } from './refused-forms.ts'
import type { HttpApp, ServerParts } from './server-parts.ts'

/** An answer to a request for a page, or where the page is. */
export type PageReply = { answer: CachedResponse; refusal: AppError | undefined } | { movedTo: string }

export interface PageCall {
  page: Page | undefined
  pattern: string
  url: URL
  method: 'GET' | 'HEAD' | 'POST'
  /** Tells the caller's network address. */
  callerAddress: () => string
  form: ReceivedForm | undefined
}

/** The page of an address; without one, the page that says that nothing is there. */
export async function runPage<App extends HttpApp, Viewer>(
  app: App,
  { page, pattern, url, method, callerAddress, form: received }: PageCall,
  { renderer, content, contactEmail }: ServerParts<App, Viewer>,
  finished: FinishedAnswers<App, Viewer>,
): Promise<PageReply> {
  const path = canonicalPath(page, url.pathname)
  if (path !== url.pathname && method !== 'POST') return { movedTo: path + url.search }
  // The rest of the query is the browser's: it makes no other page, and it may be a secret, which no key may hold.
  const address = new URL(url)
  address.search = canonicalQuery(page, url.pathname, url.search)
  const { publicUrl } = app.config
  const isForEverybody = page?.kind !== 'uncached' && method !== 'POST'
  const render = (visit?: PageVisit): Promise<Rendered> =>
    renderPage(renderer, { publicUrl, address, pattern, page, visit })
  const isKept = isForEverybody && content.isCurrent
  const renderNow = async (): Promise<CachedResponse> => {
    const form = received === undefined || page?.form === undefined ? undefined : readForm(received, page.form)
    const countRefusal = async (): Promise<void> => {
      if (page !== undefined && received?.refusal === undefined) await limitRefusedForms(app, page, callerAddress())
    }
    if (form?.refusal !== undefined) await countRefusal()
    const visit = isForEverybody ? undefined : visitOf({ method, url, callerAddress, form, countRefusal })
    const answer = (await render(visit)).build()
    if (visit?.excess !== undefined) throw visit.excess
    return answer
  }
  try {
    const answer = isKept
      ? await finished.get(pageKey(address.pathname + address.search), { make: () => render(), callerAddress })
      : await app.rendering.run({ address: callerAddress() }, renderNow)
    return { answer, refusal: refusalOf(answer) }
  } catch (error) {
    if (!isShownPlainly(error) || pagePathOf(url.pathname) !== undefined) throw error
    return { answer: plainPage(error, page?.form?.urgent?.(contactEmail())), refusal: error }
  }
}

interface Visiting extends Pick<PageCall, 'method' | 'url' | 'callerAddress'> {
  form: SentForm | undefined
  countRefusal: () => Promise<void>
}

function visitOf({ method, url, callerAddress, form, countRefusal }: Visiting): PageVisit {
  return {
    method,
    // Most pages do not ask.
    get address() {
      return callerAddress()
    },
    ...(form === undefined ? {} : { form, query: url.searchParams }),
    async countRefusal() {
      // The server has refused it, and counted that.
      if (form?.refusal !== undefined) return
      try {
        await countRefusal()
      } catch (error) {
        if (!isAppError(error)) throw error
        this.excess = error
      }
    },
  }
}
