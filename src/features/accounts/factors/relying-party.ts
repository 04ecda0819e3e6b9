/** The site as authenticators know it: a passkey works for its host name alone. */
export interface RelyingParty {
  id: string
  origin: string
}

/**
 * The site at an address; undefined where browsers know no passkeys: without a host name, and without https but on this
 * machine.
 */
export function relyingPartyOf(siteUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(siteUrl)
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return { id: hostname, origin }
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return protocol === 'https:' && !isAddress ? { id: hostname, origin } : undefined
}
