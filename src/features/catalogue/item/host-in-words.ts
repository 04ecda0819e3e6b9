import { siteOf } from './file-hosts.ts'

/** The host of a web address as people read it: see `hostInWords`. */
export function siteInWords(address: string): string {
  return hostInWords(siteOf(address))
}

/**
 * A host in its own letters, with its encoded form beside it: letters of one script, or of none, can pass for those of
 * another.
 * @param host with its port, if it has one
 */
export function hostInWords(host: string): string {
  const readable = host.replaceAll(/(?<![^.])xn--([^.:]+)/g, (label, encoded: string) => decoded(encoded) ?? label)
  return readable === host ? host : `${readable} (${host})`
}

/** A label after `xn--` in its own letters (RFC 3492); undefined where it encodes none. */
function decoded(label: string): string | undefined {
  const end = label.lastIndexOf('-')
  const plain = label.slice(0, Math.max(end, 0))
  const letters = [...plain]
  let code = 128
  let bias = 72
  let place = 0
  for (let at = end + 1; at < label.length;) {
    const before = place
    for (let weight = 1, step = 36; ; step += 36) {
      const digit = digitOf(label.charCodeAt(at))
      at += 1
      if (digit === undefined) return undefined
      place += digit * weight
      const least = Math.min(Math.max(step - bias, 1), 26)
      if (digit < least) break
      weight *= 36 - least
    }
    const count = letters.length + 1
    bias = adapted(place - before, count, before === 0)
    code += Math.floor(place / count)
    place %= count
    if (code > 0x10_ff_ff) return undefined
    letters.splice(place, 0, String.fromCodePoint(code))
    place += 1
  }
  return letters.join('')
}

/** a to z are 0 to 25, 0 to 9 are 26 to 35; no other, and not the end of the text. */
function digitOf(char: number): number | undefined {
  if (char >= 97 && char <= 122) return char - 97
  return char >= 48 && char <= 57 ? char - 22 : undefined
}

function adapted(distance: number, count: number, isFirst: boolean): number {
  let left = Math.floor(distance / (isFirst ? 700 : 2))
  left += Math.floor(left / count)
  let steps = 0
  while (left > 455) {
    left = Math.floor(left / 35)
    steps += 36
  }
  return steps + Math.floor((36 * left) / (left + 38))
}
