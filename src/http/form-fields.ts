import { defineError } from '../platform/errors.ts'

/** Fields of one form. The largest of this site has 14. */
const maxPairs = 200

/** In bytes, as it comes. No form of this site has a name as long, in whatever encoding. */
const longestName = 200

/**
 * The fields of a form, of each name the first. Names that the form does not have are passed over.
 * @throws {AppError} `body.too_large`, 413, for more than 200 fields
 */
export function readFields(body: Buffer, names: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {}
  let pairs = 0
  // Pair by pair: a list of them all would cost as much as somebody likes to send.
  for (let start = 0; start < body.length;) {
    pairs += 1
    if (pairs > maxPairs) throw tooManyFields()
    const end = endOf(body, '&', start, body.length)
    if (endOf(body, '=', start, end) - start <= longestName) {
      // A first & keeps a question mark from being cut off.
      const [pair] = new URLSearchParams(`&${body.toString('utf8', start, end)}`)
      if (pair !== undefined && names.includes(pair[0]) && !Object.hasOwn(fields, pair[0])) fields[pair[0]] = pair[1]
    }
    start = end + 1
  }
  return fields
}

function endOf(body: Buffer, sign: string, start: number, end: number): number {
  const at = body.subarray(start, end).indexOf(sign)
  return at === -1 ? end : start + at
}

const tooManyFields = defineError({
  code: 'body.too_large',
  status: 413,
  sentence: `The form has more than ${maxPairs} fields. Send fewer at once.`,
  remedy: 'Keep below the limit that the sentence and the description of the route name.',
})
