import { describe, expect, it, vi } from 'vitest'
import type { Log } from '../platform/log.ts'
import { PolicyReports } from './policy-reports.ts'

function open(): { reports: PolicyReports; lines: { reports: number; samples: Record<string, unknown>[] }[] } {
  const lines: { reports: number; samples: Record<string, unknown>[] }[] = []
  const log = { warn: (line: (typeof lines)[0]) => lines.push(line) } as unknown as Log
  return { reports: new PolicyReports(() => log), lines }
}

const old = (part: Record<string, unknown> = {}): Buffer =>
  Buffer.from(
    JSON.stringify({
      'csp-report': {
        'document-uri': 'https://library.example/go/a-secret-ticket?token=secret#secret',
        'effective-directive': 'script-src-elem',
        'blocked-uri': 'https://evil.example/x.js?secret',
        'source-file': 'https://library.example/assets/a.js?secret',
        'line-number': 7,
        ...part,
      },
    }),
  )

const fresh = (part: Record<string, unknown> = {}): unknown => ({
  type: 'csp-violation',
  url: 'https://library.example/',
  body: {
    documentURL: 'https://library.example/asian?search=secret',
    effectiveDirective: 'require-trusted-types-for',
    blockedURL: 'trusted-types-sink',
    sample: 'Element innerHTML|<img src=x',
    ...part,
  },
})

const several = (...each: unknown[]): Buffer => Buffer.from(JSON.stringify(each))

describe('reports of browsers', () => {
  it('are told once a minute, with a count and without what might be a secret', () => {
    vi.useFakeTimers()
    const { reports, lines } = open()
    for (let i = 0; i < 500; i += 1) reports.receive(old())
    reports.receive(several(fresh(), { type: 'deprecation', body: {} }, fresh()))
    expect(lines).toEqual([])
    vi.advanceTimersByTime(60_000)
    vi.useRealTimers()
    expect(lines).toEqual([
      {
        reports: 502,
        samples: [
          {
            directive: 'script-src-elem',
            blocked: 'https://evil.example',
            page: '/go',
            source: 'https://library.example/assets/a.js:7',
            sample: '',
            times: 500,
          },
          {
            directive: 'require-trusted-types-for',
            blocked: 'trusted-types-sink',
            page: '/asian',
            source: '',
            sample: 'Element innerHTML|<img src=x',
            times: 2,
          },
        ],
      },
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
    reports.write()
    expect(lines).toHaveLength(1)
  })

  it('name no more than the first part of a page, also where it is the source', () => {
    const { reports, lines } = open()
    reports.receive(old({ 'source-file': 'https://library.example/go/a-secret-ticket/x?q=secret', 'line-number': 3 }))
    reports.receive(several(fresh({ sourceFile: 'https://library.example/report/a-secret-token', lineNumber: 9 })))
    reports.write()
    expect(lines[0]?.samples.map(({ source }) => source)).toEqual([
      'https://library.example/go:3',
      'https://library.example/report:9',
    ])
  })

  it('take a bounded place, however many kinds are sent and however long their texts are', () => {
    const { reports, lines } = open()
    for (let i = 0; i < 10_000; i += 1)
      reports.receive(
        old({ 'blocked-uri': `https://${i}.example`, 'script-sample': `\u001b[2J\n${'x'.repeat(5_000)}` }),
      )
    reports.receive(several(...Array.from({ length: 500 }, () => fresh())))
    reports.write()
    expect(lines).toHaveLength(1)
    expect(lines[0]?.reports).toBe(10_020)
    expect(lines[0]?.samples).toHaveLength(10)
    expect(JSON.stringify(lines).length).toBeLessThan(6_000)
    expect(JSON.stringify(lines)).not.toMatch(/\\u001b|\\n/)
  })

  it.each(['', 'nonsense', '{}', 'null', '7', '{"csp-report":7}', '{"csp-report":null}'])('are not %j', (body) => {
    const { reports, lines } = open()
    expect(() => reports.receive(Buffer.from(body))).toThrow('This is no report of a browser.')
    reports.write()
    expect(lines).toEqual([])
  })

  it('may hold anything in their fields', () => {
    const { reports, lines } = open()
    reports.receive(
      old({
        'document-uri': 7,
        'effective-directive': '',
        'blocked-uri': 'data',
        'line-number': 'x',
        'source-file': null,
      }),
    )
    reports.receive(several(fresh({ documentURL: {}, blockedURL: 'data:text/html,x' }), null, 7))
    reports.write()
    expect(lines[0]?.samples).toMatchObject([
      { directive: '', blocked: 'data', page: '/', source: '' },
      { blocked: 'data:', page: '/' },
    ])
  })
})
