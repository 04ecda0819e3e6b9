import { PassThrough } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { appContext, pagePattern, pageVisit } from './http/pages/page-context.ts'
import { scriptNonceHeader } from './http/pages/page-headers.ts'
import { isRefusedForm } from './http/refused-forms.ts'
import { currentRequest } from './platform/current-request.ts'
import { ScriptNonce } from './ui/script-nonce.ts'

/** A loader or a component that threw. A page that does not exist is no failure. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || currentRequest()?.signal?.aborted === true || isRouteErrorResponse(error)) return
  context.get(appContext).log.error({ err: error, path: context.get(pagePattern) }, 'A page failed.')
}

/** Nobody waits longer than this for data that a page needs. */
export const streamTimeout = 10_000

/**
 * Renders a page whole: a finished page can be cached, compressed once and sealed by the hashes of its scripts.
 * Nothing streams, because nothing on these pages is slower than the page itself.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  if (request.method === 'POST' && isRefusedForm(status)) {
    const visit = context.get(pageVisit)
    await visit.countRefusal()
    if (visit.excess !== undefined) return new Response(null, { status: 429 })
  }
  const nonce = request.headers.get(scriptNonceHeader) ?? undefined
  // To render takes milliseconds of the one thread: between two pages goes out what is finished.
  await context.get(appContext).rendering.ownRound()
  return new Promise((resolve, reject) => {
    let failed = status
    const { pipe, abort } = renderToPipeableStream(
      <ScriptNonce value={nonce}>
        <ServerRouter context={routerContext} url={request.url} {...(nonce === undefined ? {} : { nonce })} />
      </ScriptNonce>,
      {
        ...(nonce === undefined ? {} : { nonce }),
        // Whole pages: large parts are never moved behind a script.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady() {
          clearTimeout(timer)
          const chunks: Buffer[] = []
          const body = new PassThrough()
          body.on('data', (chunk: Buffer) => chunks.push(chunk))
          body.on('error', reject)
          body.on('end', () => {
            headers.set('content-type', 'text/html; charset=utf-8')
            resolve(new Response(withLateScripts(Buffer.concat(chunks).toString()), { status: failed, headers }))
          })
          pipe(body)
        },
        onShellError: reject,
        onError(error) {
          failed = 500
          context
            .get(appContext)
            .log.error({ err: error, path: context.get(pagePattern) }, 'A page could not be rendered.')
        },
      },
    )
    const timer = setTimeout(() => abort(new Error('The page was not ready in time.')), streamTimeout)
  })
}

/** Scripts yield to the styles, which the first paint waits for. */
function withLateScripts(page: string): string {
  return page.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
}
