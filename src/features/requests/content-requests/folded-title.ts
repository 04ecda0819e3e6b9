import { foldText, trigramsOfName } from '../../catalogue/item/name-text.ts'

/** A title as it is stored: on one line, without spaces around it. */
export function tidyTitle(title: string): string {
  return title.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/**
 * What makes two titles the same: without case, accents and punctuation. A title of nothing but signs keeps them; of
 * nothing that can be seen, it is empty.
 */
export function foldTitle(title: string): string {
  const folded = foldText(title)
  const plain = folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
  return plain === '' ? folded : plain
}

/** What a title is found by, beside those that are like it. */
export function gramsOfTitle(folded: string): number[] {
  return trigramsOfName(folded)
}
