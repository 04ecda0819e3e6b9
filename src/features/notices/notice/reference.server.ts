import { randomInt } from 'node:crypto'

/** Crockford's base32: no letter that is read as another one, and none that makes words. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A new reference, `N-XXXX-XXXX`: 40 random bits. That nobody has it, the database keeps. */
export function makeReference(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `N-${group()}-${group()}`
}
