import { type TrustedTypePolicy, trustedTypes } from '../../../../browser/trusted-types.ts'
import { markupPolicy } from '../../../../http/pages/page-headers.ts'

/** A `<` that begins none of the elements that `entry-html.ts` writes, with the attributes that it gives them. */
const unknownMarkup =
  /<(?!\/?(?:ul|h2|b|i|em|small|time|mark)>|h2 data-day=[A-Z][a-z]{2}>|\/(?:li|a|span)>|li>|span(?: lang=[a-z]{2})?(?: dir=rtl)?>|a class=[a-z-]+ href="\/(?![/\\])[^"<>]*">)/

/** @throws {TypeError} for markup that no row has, such as a handler or a script: its text was not escaped */
export function assertRows(text: string): string {
  const at = text.search(unknownMarkup)
  if (at >= 0) throw new TypeError(`This is no markup of rows: ${text.slice(at, at + 40)}`)
  return text
}

let policy: TrustedTypePolicy | undefined

/**
 * The text of rows as trusted markup: pages refuse every other text (docs/spec/http.md#trusted-types). Plain text on
 * the server, and in browsers without such types.
 */
export function trustedRows(text: string): string | TrustedHTML {
  if (trustedTypes === undefined) return text
  policy ??= trustedTypes.createPolicy(markupPolicy, { createHTML: assertRows })
  return policy.createHTML(text)
}
