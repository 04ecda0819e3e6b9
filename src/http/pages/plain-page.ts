import { type AppError, isAppError, presentError } from '../../platform/errors.ts'
import { escapeHtml } from '../../platform/escape-html.ts'
import { CachedResponse } from '../cache/cached-response.ts'
import { hashOf } from '../security-headers.ts'

const titles: Readonly<Record<string, string>> = {
  // There was no turn for a page (`rendering.ts`).
  'site.busy': 'Busy at this moment',
  'limit.exceeded': 'Please wait',
  // The styles and scripts of a page would be refused as well.
  'host.unknown': 'Not at this address',
}

/** By the theme of the system: the site's own is known to its scripts alone. Short, so that nothing has to be compressed. */
const style =
  ':root{color-scheme:light dark}body{max-width:32rem;margin:0 auto;padding:15vh 1rem;background:light-dark(#f8f4ec,#11151e);color:light-dark(#2a221c,#ece8e0);font:1rem/1.5 system-ui;text-align:center}h1{font:1.75rem Georgia,serif}a{padding:.5rem 1rem;border:1px solid;border-radius:.5rem;color:inherit;text-decoration:none}'
const policy = `default-src 'none'; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Whether an error is answered without rendering. */
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
    <style>${style}</style>
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
  const headers = { ...presentError(error).headers, 'cache-control': 'no-store', 'content-security-policy': policy }
  return new CachedResponse(error.status, 'text/html; charset=utf-8', Buffer.from(html), headers)
}
