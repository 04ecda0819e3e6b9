import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../app/config.ts'
import { hashOf, ownScripts, policyOfPage, securityHeaders } from './security-headers.ts'

const hash = (source: string): string => `'sha256-${createHash('sha256').update(source).digest('base64')}'`

function sealed(marked: string, nonce: string): { html: string; policy: string } {
  const { html, scripts } = ownScripts(marked, nonce)
  return { html, policy: policyOfPage(scripts.map(hashOf)) }
}

describe('the policy of a page', () => {
  it('allows the marked scripts by hash and takes the mark off', () => {
    const { html, policy } = sealed('<script nonce="m">one()</script><script nonce="m" src="/a.js"></script>', 'm')
    expect(html).toBe('<script>one()</script><script src="/a.js"></script>')
    expect(policy).toContain(`script-src 'self' ${hash('one()')};`)
  })

  it('allows no script that came into the page unmarked', () => {
    const { policy } = sealed('<script>evil()</script><script nonce="guess">evil()</script>', 'm')
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('sha256')
  })

  it('lets a form lead to this site alone, unless the page says that its form leaves it', () => {
    expect(policyOfPage([])).toContain("form-action 'self';")
    expect(policyOfPage([], {})).toContain("form-action 'self';")
    expect(policyOfPage([], { leavesSite: true })).toContain('form-action http: https:;')
  })

  it('has the browser take no text for markup or a script', () => {
    expect(policyOfPage([])).toMatch(/; require-trusted-types-for 'script'; trusted-types markup worker$/)
  })

  it('allows neither inline styles nor foreign frames', () => {
    const policy = policyOfPage([])
    expect(policy).toContain("style-src 'self'")
    expect(policy).not.toContain('unsafe')
    for (const rule of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule)
  })
})

describe('securityHeaders', () => {
  it('asks for https for a year where the site has it, and only there', () => {
    const secure = new Map(securityHeaders(readConfig({ PUBLIC_URL: 'https://library.example', PAYMENTS: 'off' })))
    expect(Number(/max-age=(\d+)/.exec(secure.get('strict-transport-security') ?? '')?.[1])).toBeGreaterThanOrEqual(
      31_536_000,
    )
    expect(new Map(securityHeaders(readConfig({}))).has('strict-transport-security')).toBe(false)
  })

  it('speaks for names below the site where the operator says so alone', () => {
    const headerWith = (env: Record<string, string>) =>
      new Map(securityHeaders(readConfig({ PUBLIC_URL: 'https://library.example', PAYMENTS: 'off', ...env }))).get(
        'strict-transport-security',
      )
    expect(headerWith({})).toBe('max-age=31536000')
    expect(headerWith({ HSTS_SUBDOMAINS: '1' })).toBe('max-age=31536000; includeSubDomains')
  })
})
