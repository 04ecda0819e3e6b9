import { ZxcvbnFactory, type ZxcvbnResult } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** About as many as the list of common passwords has: a password that takes fewer guesses is no better than one of them. */
const minGuesses = 50_000

/**
 * Characters behind this one are not checked. It bounds the work: about 10 ms for the worst password of this length, 1
 * ms for most.
 */
const maxLookedAt = 32
/** How many ways to read digits and signs as letters are tried; more cost time and find nothing common. */
const maxSubstitutions = 16

/** About how many words an attacker tries who knows the person and the site. */
const guessesOfOwn = 20

/** Shorter parts of a name stand in too many words by chance. */
const minOwnShare = 3

/** Names of the roles of any site, which belong to everybody who has one. */
const roleWords = ['administrator', 'admin', 'moderator', 'operator', 'webmaster']

/** A password needs this many letters and digits before its other signs count as ornament. */
const minPlain = 6

/** The person and the site of a password: it must not be made of their names. */
export interface PasswordOwner {
  name: string
  email: string
  brandName: string
}

/** Tells passwords that are among the first to be guessed, and is opened once: its list takes 4 MB beside the library's own. */
export class PasswordStrength {
  readonly #zxcvbn = new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    maxLength: maxLookedAt,
    l33tMaxSubstitutions: maxSubstitutions,
  })

  /**
   * Whether this is a common password, a repeated or sequential one, or made of its owner's name, address or the brand.
   * @param password normalized
   */
  isWeak(password: string, owner: PasswordOwner): boolean {
    const own = ownParts(owner)
    return [...spellingsOf(password.slice(0, maxLookedAt))].some(
      (spelling) => this.#guesses(spelling, own) < minGuesses || this.#guessesBeside(spelling, own) < minGuesses,
    )
  }

  /** The guesses through its owner's words and the rest: the library does not always find them. */
  #guessesBeside(password: string, own: string[]): number {
    let count = 0
    let left = password.toLowerCase()
    for (const word of own.toSorted((one, other) => other.length - one.length)) {
      const pieces = left.split(word)
      count += pieces.length - 1
      left = pieces.join(' ')
    }
    if (count === 0) return Number.POSITIVE_INFINITY
    const rest = left.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '')
    return guessesOfOwn ** count * (rest === '' ? 1 : this.#guesses(rest, own))
  }

  /**
   * The product of what its parts take. The library's own sum adds 10,000 for the second part, and its square for the
   * third, because an attacker cannot know of how many parts a password is: that makes `Jane-Reader-1` a good one.
   */
  #guesses(password: string, own: string[]): number {
    const { sequence } = this.#zxcvbn.check(password, own)
    return sequence.reduce((product, part) => product * guessesOf(part), 1)
  }
}

/** The password, and the simpler ones that it is no better than. */
function spellingsOf(password: string): Set<string> {
  // `aaaabbbbcccc` is `abc`, three times as long.
  const withoutRuns = password.replaceAll(/(.)\1+/gsu, '$1')
  // `01-02-1990` is `01021990`. With fewer letters and digits the signs are the password: `7#fw!z`.
  const plain = password.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '')
  return new Set([password, withoutRuns, ...(plain.length < minPlain ? [] : [plain])])
}

function guessesOf(part: ZxcvbnResult['sequence'][number]): number {
  if (part.pattern === 'separator') return 1
  if ('dictionaryName' in part && part.dictionaryName === 'userInputs') return guessesOfOwn
  // The library estimates each part that it has found; its type does not say so.
  if (!('guesses' in part)) throw new TypeError('A part of a password was not estimated.')
  return part.guesses
}

/** Name, address and brand whole, word by word, and each from its end to its beginning. */
function ownParts({ name, email, brandName }: PasswordOwner): string[] {
  const texts = [name, email, brandName].map((text) => text.normalize('NFKC').toLowerCase())
  const words = texts.flatMap((text) => [text, text.replaceAll(/\s+/gu, ''), ...text.split(/[^\p{L}\p{M}\p{N}]+/u)])
  words.push(...roleWords)
  const long = words.filter((word) => word.length >= minOwnShare)
  return [...new Set(long.flatMap((word) => [word, Array.from(word).toReversed().join('')]))]
}
