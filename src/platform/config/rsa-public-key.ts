import { createPublicKey, type KeyObject } from 'node:crypto'

/** How long the modulus of a key is, in bits. */
const modulusBits = 2048

/**
 * A 2048-bit RSA public key from its SPKI, as PEM or as the base64 of PEM's contents. A PEM may have `\n` in place of line
 * breaks, as environment files write them.
 * @returns undefined for anything else
 */
export function readRsaPublicKey(text: string): KeyObject | undefined {
  const pem = text.replaceAll(String.raw`\n`, '\n').trim()
  const framed = /^-----BEGIN PUBLIC KEY-----([\s\S]+)-----END PUBLIC KEY-----$/.exec(pem)?.[1]
  const base64 = (framed ?? pem).replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    const isUsable = key.asymmetricKeyType === 'rsa' && key.asymmetricKeyDetails?.modulusLength === modulusBits
    return isUsable ? key : undefined
  } catch {
    // No SPKI: what is wrong with it, whoever reads the setting says.
    return undefined
  }
}
