import { hash } from 'node:crypto'
import type { ItemLinks } from './link-slots.ts'
import { linkSlots } from './link-slots.ts'
import { spellingsOf } from './link-spellings.ts'

/** A fingerprint of a link: 64 bits, as the database's bigint in words. */
export type LinkFingerprint = string

/**
 * Raised whenever the fingerprints of an address may change: a job then recomputes those of the stored items
 * (`publishing/complete-fingerprints.server.ts`). Blocked links keep their old fingerprints, which a later edition looks
 * up, too.
 */
export const fingerprintEdition = 4

/** A removal of a link blocks the spelling that names its file, and the text exactly as it stands. */
export function blockingFingerprintsOf(address: string): LinkFingerprint[] {
  return [exactly(address), ...spellingsOf(address).slice(0, 1)].map(fingerprint)
}

export function blockingFingerprintsOfItem(item: ItemLinks): LinkFingerprint[] {
  return ofAll(item, blockingFingerprintsOf)
}

/**
 * A link is looked up among what is blocked by the spellings of its file and its folders, and by the text exactly as it
 * stands. The database computes the last one as well, so that a row that was written past this code has at least that.
 */
export function fingerprintsOf(address: string): LinkFingerprint[] {
  return [exactly(address), ...spellingsOf(address)].map(fingerprint)
}

export function fingerprintsOfItem(item: ItemLinks): LinkFingerprint[] {
  return ofAll(item, fingerprintsOf)
}

const exactly = (address: string) => `exact ${address}`

function ofAll(item: ItemLinks, of: (address: string) => LinkFingerprint[]): LinkFingerprint[] {
  const addresses = new Set(linkSlots.flatMap((slot) => item[slot] ?? []))
  return [...new Set([...addresses].filter((address) => address !== '').flatMap(of))]
}

/** Told from each other, not kept secret: the database has no other digest of a text that is immutable. */
function fingerprint(text: string): LinkFingerprint {
  return hash('md5', text, 'buffer').readBigInt64BE().toString()
}
