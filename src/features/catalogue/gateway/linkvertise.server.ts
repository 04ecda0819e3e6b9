import { constants, type KeyObject, publicEncrypt, randomInt } from 'node:crypto'

/** How much of a link is encrypted, in bytes (docs/spec/words.md#constants). */
const encryptedBytes = 70

/**
 * The address at Linkvertise that leads to a link (docs/spec/catalogue.md#gateway-linkvertise).
 * @param account the operator's publisher id
 * @param isRaw leaves the percent-encoding out, but for what no address can hold
 */
export function linkvertiseAddress(
  link: string,
  { account, key, isRaw }: { account: string; key: KeyObject; isRaw: boolean },
): string {
  const { head, tail } = splitAtBytes(link, encryptedBytes)
  const encrypted = publicEncrypt(
    { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(head),
  )
  const r = encrypted.toString('base64') + tail
  return `https://link-to.net/${account}/${randomInt(1_000_000_000)}/dynamic/?r=${isRaw ? asciiOf(r) : encodeURIComponent(r)}&v=2`
}

/** The longest beginning of at most so many bytes of UTF-8, and the rest. No character is divided. */
export function splitAtBytes(text: string, maxBytes: number): { head: string; tail: string } {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    end += character.length
  }
  return { head: text.slice(0, end), tail: text.slice(end) }
}

/** An address as a header can hold it: everything beyond visible ASCII is percent-encoded, and nothing else. */
function asciiOf(address: string): string {
  return address.replaceAll(/[^\x21-\x7e]+/g, (part) => encodeURIComponent(part))
}

/** A link as the header `Location` can hold it. A link of visible ASCII alone stays as it is. */
export function locationOf(link: string): string {
  return /^[\x21-\x7e]+$/.test(link) ? link : new URL(link).href
}
