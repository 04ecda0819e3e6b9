import { hash, verify } from '@node-rs/argon2'
import { randomBytes } from 'node:crypto'
import { addressBlockOf, siteBlockOf } from '../../../platform/client-address.ts'
import { AppError } from '../../../platform/errors.ts'
import { Turns } from '../../../platform/turns.ts'
import { type PasswordOwner, PasswordStrength } from './password-strength.server.ts'

/** OWASP Password Storage Cheat Sheet: Argon2id (the library's 2) with 19 MiB, two passes, one lane. Memory is in KiB. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** More at once would leave no core to the pages (docs/spec/performance.md#hashing). */
const everybody: Place = ['everybody', 2]
/** About a second of work on two cores: a caller that would wait longer is refused at once. */
const maxWaiting = 150
/** On a busy machine the same queue takes longer: a caller that has waited this long is refused, too. */
const maxWaitMs = 3_000

/** How many places one caller may have in the queue at once. A person who types a password has one. */
const maxPerAccount = 2
const maxPerAddress = 4
/** Like a /64 among the limits of a /48 (`consume-all.ts`). */
const maxPerNetwork = 8 * maxPerAddress

/** The caller that has a password hashed. */
export interface Caller {
  /** The folded address of the account, whether or not there is one; or its id. */
  account?: string
  /** As `clientAddressOf` tells it. */
  address?: string
}

/** The hash function; another one in tests. */
export interface Hasher {
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
}

const argon2: Hasher = { hash: (password) => hash(password, parameters), verify }

/** The owner of a place in the queue, and how many places that owner has. */
type Place = readonly [key: string, most: number]

/**
 * Hashes and compares passwords, a few at once, the others queued, and refuses when the queue is too long: a flood of
 * sign-ins must not stall the rest of the site.
 */
export class Passwords {
  readonly #hasher: Hasher
  readonly #turns = new Turns()
  readonly #dummyHash: string
  readonly #strength = new PasswordStrength()

  /** @param dummyHash the hash of a password that nobody knows */
  private constructor(dummyHash: string, hasher: Hasher) {
    this.#dummyHash = dummyHash
    this.#hasher = hasher
  }

  static async open(hasher = argon2): Promise<Passwords> {
    return new Passwords(await hasher.hash(randomBytes(24).toString('base64')), hasher)
  }

  /** @throws {AppError} `passwords.busy`, 503 */
  hash(password: string, caller: Caller = {}): Promise<string> {
    return this.#inTurn(caller, () => this.#hasher.hash(normalize(password)))
  }

  /**
   * Whether this is the password. Without a hash, because nobody has that address or no
   * password is set, the same work is done for nothing: neither the answer nor its time tells these apart.
   * @throws {AppError} `passwords.busy`, 503
   */
  async matches(password: string, passwordHash: string | null | undefined, caller: Caller = {}): Promise<boolean> {
    const isRight = await this.#inTurn(caller, () =>
      this.#hasher.verify(passwordHash ?? this.#dummyHash, normalize(password)),
    )
    return isRight && typeof passwordHash === 'string'
  }

  /** Whether this is among the passwords that are guessed first. */
  isWeak(password: string, owner: PasswordOwner): boolean {
    return this.#strength.isWeak(normalize(password), owner)
  }

  /** Nobody can fill the line alone: of one caller only a few are in it, and the others wait for these, outside. */
  async #inTurn<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const until = performance.now() + maxWaitMs
    const left: (() => void)[] = []
    try {
      for (const [key, max] of [...ipKeys(caller), everybody]) {
        const withinMs = Math.max(0, until - performance.now())
        const leave = await this.#turns.enter(key, { max, maxWaiting, withinMs })
        if (leave === undefined) throw tooBusy()
        left.push(leave)
      }
      return await work()
    } finally {
      for (const leave of left.reverse()) leave()
    }
  }
}

function ipKeys({ account, address }: Caller): Place[] {
  const network = address === undefined ? undefined : siteBlockOf(address)
  return [
    ...(account === undefined ? [] : [[`account ${account}`, maxPerAccount] as const]),
    ...(address === undefined ? [] : [[`address ${addressBlockOf(address)}`, maxPerAddress] as const]),
    ...(network === undefined ? [] : [[`network ${network}`, maxPerNetwork] as const]),
  ]
}

function tooBusy(): AppError {
  return new AppError({
    code: 'passwords.busy',
    status: 503,
    message: 'Too many people are signing in at this moment. Please try again in a few seconds.',
    retryAfterSeconds: 3,
    isCounted: true,
  })
}

/** The same characters typed on another keyboard are the same password (NIST SP 800-63B, 3.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC')
}
