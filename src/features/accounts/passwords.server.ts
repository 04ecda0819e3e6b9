import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { randomBytes } from 'node:crypto'
import { AppError } from '../../platform/errors.ts'

declare module '../../platform/app.ts' {
  interface App {
    passwords: Passwords
  }
}

/** OWASP Password Storage Cheat Sheet: Argon2id (the library's 2) with 19 MiB, two passes, one lane. Memory is in KiB. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** More at once would leave no core to the pages (PERFORMANCE.md, "What was learned"). */
const mostAtOnce = 2
/** About a second of work on two cores: who would wait longer is told so at once. */
const mostWaiting = 150

/**
 * Hashes and compares passwords, a few at once, the others in line, and refuses when the line is too long: a flood of
 * sign-ins must not stall the rest of the site.
 */
export class Passwords {
  #running = 0
  readonly #line: (() => void)[] = []
  readonly #nobody: string
  readonly #common: ReadonlySet<string>

  /** @param nobody the hash of a password that nobody knows */
  private constructor(nobody: string) {
    this.#nobody = nobody
    this.#common = new Set(dictionary['passwords-common'].slice(0, mostCommon))
  }

  static async open(): Promise<Passwords> {
    return new Passwords(await hash(randomBytes(32), parameters))
  }

  /** @throws {AppError} `passwords.busy`, 503 */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(normalize(password), parameters))
  }

  /**
   * Whether this is the password. Without a hash, because nobody has that address, the same work is done for nothing:
   * neither the answer nor its time tells the two apart.
   * @throws {AppError} `passwords.busy`, 503
   */
  async matches(password: string, passwordHash: string | undefined): Promise<boolean> {
    const isRight = await this.#inTurn(() => verify(passwordHash ?? this.#nobody, normalize(password)))
    return isRight && passwordHash !== undefined
  }

  /** Whether this is among the passwords that are guessed first. */
  isCommon(password: string): boolean {
    return this.#common.has(normalize(password).toLowerCase())
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < mostAtOnce) this.#running += 1
    else {
      if (this.#line.length >= mostWaiting) {
        throw new AppError({
          code: 'passwords.busy',
          status: 503,
          message: 'Too many people are signing in at this moment. Please try again in a few seconds.',
          retryAfterSeconds: 3,
        })
      }
      // Whoever ends hands his place on.
      await new Promise<void>((admitted) => this.#line.push(admitted))
    }
    try {
      return await work()
    } finally {
      const next = this.#line.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}

/** So many of the list, which begins with the most common. */
const mostCommon = 10_000

/** The same characters typed on another keyboard are the same password (NIST SP 800-63B, 3.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC')
}
