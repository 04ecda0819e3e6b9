import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { HttpConfig } from './http-config.ts'
import { type AppError, defineError } from '../platform/errors.ts'
import { unreadableRequest } from './connections/unreadable.ts'

/**
 * Whether a request may not be answered under the name that it was sent to. While the site's address is not set it is on trial on
 * this machine: a page of another site could reach it under a name of its own that leads here.
 * @returns `request.unreadable`, 400, for none or several names; `host.unknown`, 421
 */
export function faultOfHost(
  { publicUrlIsSet }: Pick<HttpConfig, 'publicUrlIsSet'>,
  { headers: { host }, rawHeaders, httpVersion }: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>,
): AppError | undefined {
  // HTTP/1.1 requires one; Node would refuse none with an empty answer, and of two it takes the first.
  if (host === undefined) return httpVersion === '1.0' ? undefined : unreadableRequest()
  if (isRepeated(rawHeaders)) return unreadableRequest()
  return publicUrlIsSet || isLoopbackName(host) ? undefined : unknownHost()
}

function isRepeated(rawHeaders: readonly string[]): boolean {
  let names = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') names += 1
  }
  return names > 1
}

/** Whether a header names this machine in a way that no other can have, with a port or without. */
function isLoopbackName(host: string): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase()
  if (name === 'localhost' || name === '[::1]') return true
  return (name.startsWith('127.') && isIP(name) === 4) || /^(?:[a-z0-9_-]+\.)+localhost$/.test(name)
}

const unknownHost = defineError({
  code: 'host.unknown',
  status: 421,
  sentence:
    'This site answers at localhost only. To reach it under another name, its operator sets PUBLIC_URL to that address.',
  remedy: 'Ask it at localhost, or set PUBLIC_URL and start it again.',
})
