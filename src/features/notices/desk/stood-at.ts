const heading = '\n\nIt stood at:\n'

/**
 * What a counter-notice says, with the addresses that were typed into it. The law asks for the place of what was taken off: it goes with
 * the explanation to whoever sent the notice.
 */
export function withAddresses(explanation: string, addresses: readonly string[]): string {
  return `${explanation}${heading}${addresses.join('\n')}`
}

/** The two apart again. An explanation may hold the same words: the last ones are the site's. */
export function apartFromAddresses(text: string): { explanation: string; addresses: string[] } {
  const at = text.lastIndexOf(heading)
  if (at < 0) return { explanation: text, addresses: [] }
  const addresses = text.slice(at + heading.length).split('\n')
  return { explanation: text.slice(0, at), addresses: addresses.filter((address) => address !== '') }
}
