const heading = '\n\nIt stood at:\n'

/**
 * The explanation of a counter-notice with the typed addresses. The law requires the place of the removed material, so
 * the sender of the notice receives both.
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
