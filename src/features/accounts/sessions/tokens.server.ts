import { createHmac, hash, randomBytes } from 'node:crypto'

/** 32 random bytes, base64url: nothing can be read off it, and nobody guesses it. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The digest of a token, which the database stores: SHA-256. A random token needs no salt and no stretching. */
export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

export function looksLikeToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/**
 * The administrator's second key (docs/spec/access.md#keys): made from the token of their session, so that it is
 * never in a script file, stands nowhere in the database, and ends with the session.
 */
export function adminKeyOf(token: string): string {
  return createHmac('sha256', token).update('admin-key').digest('base64url')
}
