import type { FileHost } from '../catalogue-config.server.ts'

/** The host name of a web address as people read it, without `www.`. */
export function siteOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '')
}

/**
 * The file host on which a link lies, if it is one of the site's. A domain stands for itself and its subdomains, and
 * never for a look-alike such as `mega.nz.example.com`.
 */
export function fileHostOf(link: string, hosts: readonly FileHost[]): FileHost | undefined {
  const url = URL.parse(link)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  const hostname = url.hostname.replace(/\.$/, '')
  return hosts.find((host) => host.domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`)))
}

/** The host to which a link leads, which is no secret. */
export interface LinkPlace {
  site: string
  /** The configured label of its file host; elsewhere the host name. */
  label: string
  /** Whether it lies on a file host of this site, so that free visitors pass the gateway. */
  isFileHost: boolean
}

/** @param link a web address */
export function placeOf(link: string, hosts: readonly FileHost[]): LinkPlace {
  const site = siteOf(link)
  const host = fileHostOf(link, hosts)
  return { site, label: host?.label ?? site, isFileHost: host !== undefined }
}
