import { foldText, trigramsOfName } from '../../catalogue/item/name-text.ts'

/** A title as it is stored: on one line, without spaces around it. */
export function tidyTitle(title: string): string {
  return title.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/**
 * The key by which two titles are the same: without case, accents and punctuation. A title of signs alone keeps them;
 * one of invisible characters is empty.
 */
export function foldTitle(title: string): string {
  const folded = foldText(title)
  const plain = folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
  return plain === '' ? folded : plain
}

/** The trigrams of a title, for the search of similar ones. */
export function gramsOfTitle(folded: string): number[] {
  return trigramsOfName(folded)
}
