import { type AppError, isAppError, presentError } from '../../platform/errors.ts'
import { escapeHtml } from '../../platform/escape-html.ts'
import { CachedResponse } from '../cache/response-cache.ts'

/** Whether there was no turn for a page (`rendering.ts`). */
export function isSiteBusy(error: unknown): error is AppError {
  return isAppError(error) && error.code === 'site.busy'
}

/** Says so, without the page bundle: it names no file, and its address is that of the page that was asked for. */
export function busyPage(error: AppError): CachedResponse {
  const sentence = escapeHtml(error.message)
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Busy at this moment</title>
  </head>
  <body>
    <main>
      <h1>Busy at this moment</h1>
      <p>${sentence}</p>
      <p><a href="">Try again</a></p>
    </main>
  </body>
</html>
`
  const headers = { ...presentError(error).headers, 'cache-control': 'no-store' }
  return new CachedResponse(error.status, 'text/html; charset=utf-8', Buffer.from(html), headers)
}
