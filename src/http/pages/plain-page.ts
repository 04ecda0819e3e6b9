import { type AppError, isAppError, presentError } from '../../platform/errors.ts'
import { escapeHtml } from '../../platform/escape-html.ts'
import { CachedResponse } from '../cache/cached-response.ts'

const titles: Readonly<Record<string, string>> = {
  // There was no turn for a page (`rendering.ts`).
  'site.busy': 'Busy at this moment',
  'limit.exceeded': 'Too many attempts',
}

/** Whether an error is answered without rendering: in overload there is no time for it. */
export function isShownPlainly(error: unknown): error is AppError {
  return isAppError(error) && Object.hasOwn(titles, error.code)
}

/**
 * Says so, without the page bundle: it names no file, and its address is that of the page that was asked for.
 * @param urgent a sentence for those who cannot wait
 */
export function plainPage(error: AppError, urgent?: string): CachedResponse {
  const title = escapeHtml(titles[error.code] ?? error.message)
  const sentence = escapeHtml(error.message)
  const advice = urgent === undefined ? '' : `      <p>${escapeHtml(urgent)}</p>\n`
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${sentence}</p>
${advice}      <p><a href="">Try again</a></p>
    </main>
  </body>
</html>
`
  const headers = { ...presentError(error).headers, 'cache-control': 'no-store' }
  return new CachedResponse(error.status, 'text/html; charset=utf-8', Buffer.from(html), headers)
}
