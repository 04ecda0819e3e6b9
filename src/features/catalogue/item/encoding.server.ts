import { insertedCharacter } from './encoding.ts'

export function encodePayload(value: unknown): string {
  return withInserted(Buffer.from(JSON.stringify(value)).toString('base64'))
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
