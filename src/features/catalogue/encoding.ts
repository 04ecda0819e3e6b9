/**
 * The encoded payload of PRODUCT.md, section 7: JSON as UTF-8, base64, with one further character inserted as the
 * third. Browser-safe.
 */

/** The character that is inserted; a decoder drops whatever stands there. */
export const insertedCharacter = 'D'

/**
 * @throws {SyntaxError} when the text is not an encoded payload
 */
export function decodePayload(encoded: string): unknown {
  const base64 = encoded.slice(0, 2) + encoded.slice(3)
  let binary: string
  try {
    binary = atob(base64)
  } catch (cause) {
    throw new SyntaxError('The payload is not base64.', { cause })
  }
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
}
