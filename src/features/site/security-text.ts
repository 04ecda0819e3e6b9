import type { SiteConfig } from './site-config.server.ts'

const dayMs = 86_400_000
/** RFC 9116 wants less than a year. It is computed anew, so that it never passes. */
const validDays = 180

/** The path by RFC 9116. */
export const securityTextPath = '/.well-known/security.txt'

/** Undefined without a security contact. */
export function securityText(
  { securityContact, publicUrl, publicUrlIsSet }: Pick<SiteConfig, 'securityContact' | 'publicUrl' | 'publicUrlIsSet'>,
  now: number,
): string | undefined {
  if (securityContact === undefined) return undefined
  const expires = new Date(Math.floor(now / dayMs + validDays) * dayMs).toISOString()
  return [
    `Contact: ${securityContact}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    // Without an address of its own the site cannot say where it is.
    ...(publicUrlIsSet ? [`Canonical: ${publicUrl}${securityTextPath}`] : []),
    '',
  ].join('\n')
}
