import { insertedCharacter } from './encoding.ts'

export function encodePayload(value: unknown): string {
  return withInserted(Buffer.from(JSON.stringify(value)).toString('base64'))
}

/** An answer with this payload. Its text needs no escaping and is ASCII. */
export function encodedBody(payload: unknown): Buffer {
  const text = `{"data":"${encodePayload(payload)}"}`
  // Not from Node's pool: a cached slice of it would keep the whole pool in memory.
  const bytes = Buffer.allocUnsafeSlow(text.length)
  bytes.write(text, 'latin1')
  return bytes
}

export function withInserted(base64: string): string {
  return base64.slice(0, 2) + insertedCharacter + base64.slice(2)
}

/**
 * Base64 of a JSON text, padded with spaces to whole groups of three bytes, so that pieces that were encoded one by
 * one can be put side by side: JSON does not mind the spaces, and no piece ends in `=`.
 */
export function base64Chunk(json: string): string {
  const bytes = Buffer.from(json)
  const short = bytes.length % 3
  return short === 0 ? bytes.toString('base64') : Buffer.from(json + ' '.repeat(3 - short)).toString('base64')
}
