import { createHash } from 'node:crypto'
import type { Config } from '../platform/config/config.ts'

const year = 365 * 86_400

/** What every answer carries (docs/spec/http.md#response-headers). A page brings its own policy in place of this one. */
export function securityHeaders(config: Config): [string, string][] {
  const headers: [string, string][] = [
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
  ]
  if (config.publicUrl.startsWith('https:'))
    headers.push(['strict-transport-security', `max-age=${year}; includeSubDomains`])
  return headers
}

const inlineScript = /<script((?:\s[^>]*)?)>([\s\S]*?)<\/script>/g

/**
 * Takes the mark off a page's own inline scripts and allows exactly those, by hash. A nonce would have to be new in
 * every answer; hashes let a finished page be kept and sent to everybody.
 * @param form the form of the page: a browser asks its policy also where the answer to the form leads
 */
export function sealScripts(
  marked: string,
  nonce: string,
  form?: { leavesSite?: boolean },
): { html: string; policy: string } {
  const mark = ` nonce="${nonce}"`
  const hashes = new Set<string>()
  for (const [, attributes = '', source = ''] of marked.matchAll(inlineScript)) {
    if (attributes.includes(mark) && source !== '') {
      hashes.add(`'sha256-${createHash('sha256').update(source).digest('base64')}'`)
    }
  }
  const html = marked.replaceAll(mark, '')
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${[...hashes].join(' ')}`.trimEnd(),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    form?.leavesSite === true ? 'form-action http: https:' : "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html, policy }
}
