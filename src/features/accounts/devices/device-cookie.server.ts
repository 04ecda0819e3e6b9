import { parse, serialize } from 'hono/utils/cookie'
import { looksLikeToken } from '../sessions/tokens.server.ts'
import type { AccountsApp } from '../app.ts'

const yearSeconds = 365 * 86_400

/** The most accounts of one browser that stay known to it: a family shares a computer. */
const maxSecrets = 8

/** A character that no token has. */
const between = '.'

type Site = Pick<AccountsApp, 'config'>

/** `__Host-` keeps other hosts of the domain from setting it; browsers take it over https alone. */
function isEncrypted({ config }: Site): boolean {
  return config.publicUrl.startsWith('https:')
}

/**
 * The secrets in a header `Cookie`, the most recently used first: one for each account of this browser. Malformed ones
 * are left out.
 */
export function readDeviceSecrets(site: Site, header: string | undefined): string[] {
  if (header === undefined) return []
  const name = isEncrypted(site) ? '__Host-device' : 'device'
  const written = parse(header, name)[name]
  // The site never issues a longer value.
  if (written === undefined || written.length > 64 * maxSecrets) return []
  return [...new Set(written.split(between).filter(looksLikeToken))].slice(0, maxSecrets)
}

/** The header `Set-Cookie` with which the browser keeps these secrets, for a year. Beyond eight, those at the end are left out. */
export function writeDeviceSecrets(site: Site, secrets: readonly string[]): string {
  const value = secrets.slice(0, maxSecrets).join(between)
  const cookie = { path: '/', httpOnly: true, sameSite: 'Strict', maxAge: yearSeconds } as const
  return isEncrypted(site)
    ? serialize('__Host-device', value, { ...cookie, secure: true })
    : serialize('device', value, cookie)
}
