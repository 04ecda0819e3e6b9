import { hash, verify } from '@node-rs/argon2'
import { randomBytes } from 'node:crypto'
import { defineError, tryLater } from '../../../platform/errors.ts'
import { type Caller, FairQueue, type QueueRules } from '../../../platform/fair-queue/fair-queue.ts'
import type { PasswordOwner, PasswordStrength } from './password-strength.server.ts'

/** OWASP Password Storage Cheat Sheet: Argon2id (the library's 2) with 19 MiB, two passes, one lane. Memory is in KiB. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const passwordsBusy = defineError({
  code: 'passwords.busy',
  status: 503,
  sentence: 'Too many people are signing in at this moment. Please try again in a few seconds.',
  remedy: tryLater,
  retryAfterSeconds: 3,
  isCounted: true,
  isNothingDone: true,
})

/** A person who types a password has one place in the queue. */
const queueRules: Omit<QueueRules, 'atOnce'> = {
  /** About a second of work on two cores: a caller that would wait longer is refused at once. */
  maxWaiting: 150,
  /** On a busy machine the same queue takes longer: a caller that has waited this long is refused, too. */
  maxWaitMs: 3_000,
  perAccount: 2,
  perAddress: 4,
  /** Like a /64 among the limits of a /48 (`consume-all.ts`). */
  perNetwork: 32,
  endsWithRequest: true,
  busy: passwordsBusy,
}

/** More at once would leave no core to the pages (docs/spec/performance.md#hashing). Several workers divide them. */
const hashesAtOnce = 2

/** The hash function; another one in tests. */
export interface Hasher {
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
  isOutdated?(passwordHash: string): boolean
}

const argon2: Hasher = { hash: (password) => hash(password, parameters), verify, isOutdated }

const writtenParameters = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/

function isOutdated(passwordHash: string): boolean {
  const written = writtenParameters.exec(passwordHash)
  if (written === null) return true
  return Number(written[1]) < parameters.memoryCost || Number(written[2]) < parameters.timeCost
}

/**
 * Hashes and compares passwords, a few at once, the others queued, and refuses when the queue is too long: a flood of
 * sign-ins must not stall the rest of the site.
 */
export class Passwords {
  readonly #hasher: Hasher
  readonly #queue: FairQueue
  readonly #dummyHash: string
  /** Loaded when the first password is chosen, and kept: its lists take megabytes. */
  #strength: Promise<PasswordStrength> | undefined

  /** @param dummyHash the hash of a password that nobody knows */
  private constructor(dummyHash: string, hasher: Hasher, workers: number) {
    this.#queue = new FairQueue({ ...queueRules, atOnce: Math.max(1, Math.floor(hashesAtOnce / workers)) })
    this.#dummyHash = dummyHash
    this.#hasher = hasher
  }

  /** @param workers how many processes hash on this machine */
  static async open(hasher = argon2, { workers = 1 } = {}): Promise<Passwords> {
    return new Passwords(await hasher.hash(randomBytes(24).toString('base64')), hasher, workers)
  }

  get queue(): Pick<FairQueue, 'running' | 'waiting'> {
    return this.#queue
  }

  /** @throws {AppError} `passwords.busy`, 503 */
  hash(password: string, caller: Caller = {}): Promise<string> {
    return this.#queue.run(caller, () => this.#hasher.hash(normalize(password)))
  }

  /**
   * Whether this is the password. Without a hash, because nobody has that address or no
   * password is set, the same work is done for nothing: neither the answer nor its time tells these apart.
   * @throws {AppError} `passwords.busy`, 503
   */
  async matches(password: string, passwordHash: string | null | undefined, caller: Caller = {}): Promise<boolean> {
    const isRight = await this.#queue.run(caller, () =>
      this.#hasher.verify(passwordHash ?? this.#dummyHash, normalize(password)),
    )
    return isRight && typeof passwordHash === 'string'
  }

  /** Whether this hash was made with less work than a new one is: by an earlier version, or by another system. */
  isOutdated(passwordHash: string): boolean {
    return this.#hasher.isOutdated?.(passwordHash) ?? false
  }

  /** Whether this is among the passwords that are guessed first. */
  async isWeak(password: string, owner: PasswordOwner): Promise<boolean> {
    this.#strength ??= loadStrength().catch((error: unknown) => {
      this.#strength = undefined
      throw error
    })
    return (await this.#strength).isWeak(normalize(password), owner)
  }
}

async function loadStrength(): Promise<PasswordStrength> {
  const { PasswordStrength } = await import('./password-strength.server.ts')
  return new PasswordStrength()
}

/** The same characters typed on another keyboard are the same password (NIST SP 800-63B, 3.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC')
}
