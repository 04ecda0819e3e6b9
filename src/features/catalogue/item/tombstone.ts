/** The page of a removed item (docs/spec/publishing.md#tombstones). Browser-safe. */

/** The public removals: after a legal demand, and after a breach of the site's own terms. */
export interface TombstoneOnPage {
  answer: 451 | 410
  kind: string
  /** The day of the removal in the site's time zone, `YYYY-MM-DD`. */
  day: string
  reference: string
}

/** The reason of a removal after a copyright notice: the one that its publisher can answer with a counter-notice. */
export const copyrightReason = 'Copyright'

export function tombstoneSentence(answer: TombstoneOnPage['answer']): string {
  return answer === 451
    ? 'This entry was removed after a legal demand.'
    : "This entry was removed because it went against this site's terms."
}
