import { randomBytes } from 'node:crypto'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Stripe's prefix before the random part, and the length of that part. */
const shapes = {
  cus_: 14,
  cs_test_: 58,
  sub_: 24,
  si_: 14,
  in_: 24,
  il_: 24,
  inpay_: 24,
  pi_: 24,
  pm_: 24,
  ch_: 24,
  re_: 24,
  du_: 24,
  evt_: 24,
  bps_: 24,
  req_: 14,
  price_: 24,
} as const

export type Prefix = keyof typeof shapes

/** An id as Stripe's: the prefix and unguessable letters and digits. */
export function makeId(prefix: Prefix): string {
  return prefix + randomLetters(shapes[prefix])
}

/** Letters and digits from the system's random source, each equally likely. */
export function randomLetters(length: number): string {
  let text = ''
  while (text.length < length) {
    // 248 is four times the alphabet: bytes above it would favour its beginning.
    for (const byte of randomBytes(length)) if (byte < 248) text += letters.charAt(byte % letters.length)
  }
  return text.slice(0, length)
}

/** The id behind a field that holds an id or the object itself; empty when it holds neither. */
export function idOf(reference: string | { id: string } | null | undefined): string {
  return (typeof reference === 'string' ? reference : reference?.id) ?? ''
}
