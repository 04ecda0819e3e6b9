import { hash } from 'node:crypto'
import type { HttpConfig } from './http-config.ts'
import { markupPolicy, workerPolicy } from './pages/page-headers.ts'

const year = 365 * 86_400

/**
 * The headers of every answer (docs/spec/http.md#response-headers). A page brings its own policy in place of this one.
 */
export function securityHeaders(config: HttpConfig): [string, string][] {
  const headers: [string, string][] = [
    ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    [
      'permissions-policy',
      'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
    ],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
  ]
  if (config.publicUrl.startsWith('https:')) {
    headers.push(['strict-transport-security', `max-age=${year}${config.hstsSubdomains ? '; includeSubDomains' : ''}`])
  }
  return headers
}

const inlineScript = /<script((?:\s[^>]*)?)>([\s\S]*?)<\/script>/g

/** A page's own inline scripts, which have the mark, and the page without it. */
export function ownScripts(marked: string, nonce: string): { html: string; scripts: string[] } {
  const mark = ` nonce="${nonce}"`
  const scripts = [...marked.matchAll(inlineScript)]
    .filter(([, attributes = '', source = '']) => attributes.includes(mark) && source !== '')
    .map(([, , source = '']) => source)
  return { html: marked.replaceAll(mark, ''), scripts }
}

export function hashOf(script: string | Buffer): string {
  return `'sha256-${hash('sha256', script, 'base64')}'`
}

/**
 * The policy of a page. It allows exactly the page's own inline scripts, by hash: a nonce would be new in every answer,
 * and a finished page is cached for everybody.
 * @param hashes of its scripts
 * @param form its form: browsers check the policy also where the answer leads
 */
export function policyOfPage(hashes: readonly string[], form?: { leavesSite?: boolean }): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(' ')}`.trimEnd(),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    form?.leavesSite === true ? 'form-action http: https:' : "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // No text becomes markup or a script, but the rows of lists, which one policy has looked at, and the service worker.
    "require-trusted-types-for 'script'",
    `trusted-types ${markupPolicy} ${workerPolicy}`,
  ].join('; ')
}
