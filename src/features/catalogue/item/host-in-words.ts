import punycode from 'punycode.js'
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

/** A label after `xn--` in its own letters; undefined where it encodes none. */
function decoded(label: string): string | undefined {
  try {
    return punycode.decode(label)
  } catch {
    return undefined
  }
}
