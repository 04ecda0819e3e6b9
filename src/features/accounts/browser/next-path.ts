import { isReadable, readablePath } from '../../../http/readable-path.ts'

/** Pages that lead to signing in; nobody is sent there after signing in. */
const authLinks: ReadonlySet<string> = new Set(['/login', '/register', '/forgot-password', '/reset-password'])

/**
 * The page after signing in: the requested path, if it is one of this site, otherwise the home page. The author of a
 * link chooses the value, so a value that could lead elsewhere is ignored.
 * @param origin the site's own, as the browser names it
 */
export function safeNextPath(value: string | null | undefined, origin: string): string {
  const home = '/'
  if (value == null || !value.startsWith('/') || /[\\\p{Cc}]/u.test(value)) return home
  const url = URL.parse(value, origin)
  if (url === null || url.origin !== origin) return home
  // Reading an address takes `/./` out of it; what is left may begin with the two slashes that name another host.
  if (url.pathname.startsWith('//')) return home
  if (authLinks.has(plainPath(url.pathname))) return home
  // The router can go to no other: what cannot be decoded leads to no page.
  return readablePath(url.pathname) + url.search + (isReadable(url.hash) ? url.hash : '')
}

/** A path as the router compares it: decoded, without regard to case or to slashes at its end. */
function plainPath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).toLowerCase().replaceAll(/\/+/g, '/').replace(/\/$/, '')
  } catch {
    return pathname
  }
}
