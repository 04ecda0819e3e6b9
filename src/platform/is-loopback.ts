import { isIP } from 'node:net'

/**
 * Whether a host is this machine itself, so that nothing sent to it crosses a network.
 * @param hostname also in brackets, as it stands in an address
 */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const address = host.replace(/^::ffff:/, '')
  return host === 'localhost' || host === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}
