import type { IncomingMessage } from 'node:http'
import type { HttpConfig } from './http-config.ts'
import { defineError } from '../platform/errors.ts'

type SiteAddress = Pick<HttpConfig, 'publicUrl' | 'publicUrlIsSet'>

/**
 * A page of another site may not write here: what a browser sends names where it comes from.
 * @throws {AppError} `origin.foreign`, 403
 */
export function refuseForeignOrigin(config: SiteAddress, { method, headers }: IncomingMessage): void {
  const { origin, host } = headers
  if (origin === undefined || method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return
  const { publicUrl, publicUrlIsSet } = config
  // While the site's address is not set, it is whatever the browser has opened.
  const isOwn = origin === publicUrl || (!publicUrlIsSet && URL.parse(origin)?.host === host)
  if (isOwn) return
  throw foreignOrigin()
}

/** The origin of the site as a caller knows it: the configured one or, while none is set, the one they have opened. */
export function siteUrlOf({ publicUrl, publicUrlIsSet }: SiteAddress, { headers }: IncomingMessage): string {
  const opened = publicUrlIsSet ? null : URL.parse(`http://${headers.host ?? ''}`)
  return opened === null ? publicUrl : opened.origin
}

const foreignOrigin = defineError({
  code: 'origin.foreign',
  status: 403,
  sentence: 'This request comes from a page of another site. Open this site itself, and try again.',
  remedy: 'Pages of other sites cannot call the interface from a browser. Programs send no header Origin.',
})
