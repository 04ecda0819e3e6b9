import anyAscii from 'any-ascii'
import { hashOfText } from './hash-of-text.ts'
import { foldText } from './name-text.ts'

/** The greatest length of a slug made from a name; a number that tells equal ones apart comes on top. */
const maxCharacters = 100

/**
 * The slug that a name makes (docs/spec/catalogue.md#slugs): transliterated, `[a-z0-9-]`, at most 100 characters, cut
 * between words. Never empty: a name without any letter or digit makes one of its own from what it does hold.
 */
export function makeSlug(name: string): string {
  const whole = anyAscii(name.normalize('NFC'))
    .toLowerCase()
    // An apostrophe stands inside a word, not between two.
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (whole === '') return `item-${hashOfText(foldText(name)).toString(36)}`
  if (whole.length <= maxCharacters) return whole
  const boundary = whole.lastIndexOf('-', maxCharacters)
  // A first word that alone is too long is cut inside.
  return whole.slice(0, boundary > 0 ? boundary : maxCharacters)
}

/** The slug of a name that another item has: with the first creator, where there is one. */
export function makeLongerSlug({ name, creators: [creator] }: { name: string; creators: readonly string[] }): string {
  return makeSlug(creator === undefined ? name : `${name} ${creator}`)
}

/**
 * The first of `base`, `base-2`, `base-3` … that is not taken.
 * @param firstNumbers by base, the number to begin with, as those below it are taken; it is kept up to date, so that
 *   thousands of equal names do not each count from the start
 */
export function freeSlug(base: string, isTaken: (slug: string) => boolean, firstNumbers?: Map<string, number>): string {
  const numbered = (number: number): string => (number === 1 ? base : `${base}-${number}`)
  let number = firstNumbers?.get(base) ?? 1
  while (isTaken(numbered(number))) number += 1
  if (number > 1) firstNumbers?.set(base, number)
  return numbered(number)
}
