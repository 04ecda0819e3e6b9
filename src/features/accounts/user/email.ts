/**
 * Folds an address: composed, trimmed, in lower case, and its domain as A-labels (RFC 5890), so that one mailbox has one
 * account whichever way its domain is spelt. Addresses that fold to the same text are the same account. A domain that
 * cannot be written so stays as it is.
 */
export function foldEmail(email: string): string {
  const folded = email.normalize('NFKC').trim().toLowerCase()
  const at = folded.lastIndexOf('@') + 1
  const domain = folded.slice(at)
  // Also what no address is comes here, such as a text that somebody tries to sign in with.
  if (at === 0 || /^\p{ASCII}*$/u.test(domain)) return folded
  return folded.slice(0, at) + (asciiDomainOf(domain) ?? domain)
}

/**
 * A domain with A-labels in place of other scripts, as mail and DNS use it (UTS 46, by the URL parser that server and
 * browser share); undefined for one that cannot exist.
 */
export function asciiDomainOf(domain: string): string | undefined {
  // Other characters would be read as a port, a path, or another host.
  if (!/^[\p{L}\p{M}\p{N}.\u3002-]+$/u.test(domain)) return undefined
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return undefined
  }
}
