import { randomBytes } from 'node:crypto'
import { databaseUnavailable } from '../../platform/database-outages.ts'
import { type AppError, presentError } from '../../platform/errors.ts'
import { CachedResponse } from '../cache/cached-response.ts'
import type { Rendered } from '../cache/response-cache.ts'
import { formType } from '../body.ts'
import { readablePath } from '../readable-path.ts'
import { hashOf, ownScripts, policyOfPage } from '../security-headers.ts'
import { buildHeader, scriptNonceHeader } from './page-headers.ts'
import { PageScope } from './page-scope.ts'
import type { Page } from './page.ts'
import type { PageVisit } from './page-visit.ts'
import type { Pages } from './pages.ts'

const refusalsOf = new WeakMap<CachedResponse, AppError>()

/** Why a page says that it cannot be shown; undefined for one that is shown. */
export function refusalOf(page: CachedResponse): AppError | undefined {
  return refusalsOf.get(page)
}

interface WantedPage {
  publicUrl: string
  /** Path and query in their canonical spelling. */
  address: URL
  /** Stands for the address in the log. */
  pattern: string
  /** Undefined: the page that says that nothing is there. */
  page: Page | undefined
  /** The request, for a page that nobody keeps. */
  visit: PageVisit | undefined
}

/** Renders the page of an address, and seals its scripts by their hashes. */
export async function renderPage(
  renderer: Pages,
  { publicUrl, address, pattern, page, visit }: WantedPage,
): Promise<Rendered> {
  const nonce = randomBytes(16).toString('base64url')
  // Set part by part: a path that begins with two slashes would name another host.
  const url = new URL(publicUrl)
  url.pathname = readablePath(address.pathname)
  url.search = address.search
  const policyWith = (hashes: readonly string[]): Record<string, string> => ({
    'content-security-policy': policyOfPage(hashes, page?.form),
  })
  const put = visit === undefined ? await putTogether(renderer, url, pattern, nonce) : undefined
  if (put !== undefined) {
    const { body } = put
    const build = (): CachedResponse => {
      const answer = new CachedResponse(200, htmlType, body, policyWith(put.hashes))
      answer.onSend = put.scope.onSend
      return answer
    }
    return { scope: put.scope, build }
  }
  const scope = new PageScope()
  const { response, refusal } = await renderer.render(requestFor(url, nonce, visit), scope, pattern, visit)
  const contentType = response.headers.get('content-type') ?? htmlType
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) {
    if (name !== 'content-type' && name !== 'set-cookie') headers[name] = value
  }
  // A page that no loader refused says 503 where the content must no longer be shown.
  const refused = refusal ?? (response.status === 503 ? databaseUnavailable() : undefined)
  if (refused !== undefined) Object.assign(headers, presentError(refused).headers)
  if (response.status === 503 || visit !== undefined) headers['cache-control'] = 'no-store'
  const answerWith = (content: Buffer, more: Record<string, string>): CachedResponse => {
    const answer = new CachedResponse(response.status, contentType, content, { ...headers, ...more })
    answer.onSend = scope.onSend
    if (refused !== undefined) refusalsOf.set(answer, refused)
    return answer
  }
  const body = Buffer.from(await response.arrayBuffer())
  if (!contentType.startsWith('text/html')) {
    return { scope, build: () => answerWith(body, { [buildHeader]: renderer.build }) }
  }
  const { html, scripts } = ownScripts(body.toString(), nonce)
  return { scope, build: () => answerWith(Buffer.from(html), policyWith(scripts.map(hashOf))) }
}

const htmlType = 'text/html; charset=utf-8'

/** The page out of its template; undefined where it has to be rendered whole, which also tells why it cannot be shown. */
async function putTogether(
  { templates, splice }: Pages,
  url: URL,
  pattern: string,
  nonce: string,
): Promise<{ body: Buffer; hashes: string[]; scope: PageScope } | undefined> {
  const scope = new PageScope()
  const spliced = await splice?.(url, scope, pattern).catch(() => undefined)
  const put = spliced && (await templates?.put(spliced, nonce))
  return put && { ...put, scope }
}

/** The request as the renderer gets it: nothing of its headers reaches a page. */
function requestFor(url: URL, nonce: string, visit: PageVisit | undefined): Request {
  const headers = { [scriptNonceHeader]: nonce }
  if (visit?.method !== 'POST') return new Request(url, { headers })
  // Its fields stand in the visit.
  return new Request(url, { method: 'POST', headers: { ...headers, 'content-type': formType }, body: '' })
}
