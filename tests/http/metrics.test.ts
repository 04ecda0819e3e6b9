import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { openMetrics } from '../../src/app/metrics.ts'
import { routes } from '../../src/app/server.ts'
import { pages } from '../../src/app/pages.ts'
import { accountMails } from '../../src/features/accounts/account-mails.ts'
import { features } from '../../src/features/site/features.server.ts'
import { recordJobFailure } from '../../src/features/site/home/record-job-failure.server.ts'
import type { AdminHome } from '../../src/features/site/home/admin-home-schema.ts'
import { openLog } from '../../src/platform/log.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'

const token = 'a-token-of-a-test'
const deploy = join(import.meta.dirname, '../../deploy')

let admin: Record<string, string>

const server = serverOfFile({ log: openLog('silent'), env: { METRICS_TOKEN: token } })

beforeAll(async () => {
  await someItems(server.app, [{ name: 'Entry', contentType: 'western' }])
  admin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
})

interface Line {
  name: string
  labels: Record<string, string>
  value: number
}

async function scrape(from = server): Promise<Line[]> {
  const { status, text } = await from.request('/metrics', { headers: bearer(token) })
  expect(status).toBe(200)
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const {
      name = '',
      labels = '',
      value,
    } = /^(?<name>\w+)(\{(?<labels>.*)\})? (?<value>\S+)$/.exec(line)?.groups ?? {}
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text])
    return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
  })
}

async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const wanted = Object.entries(labels)
  return (await scrape()).find((line) => line.name === name && wanted.every(([key, text]) => line.labels[key] === text))
    ?.value
}

describe('/metrics', () => {
  test('is nowhere without the token, and for a session of whomever', async () => {
    const nobody = [{}, bearer('wrong'), { authorization: token }, { authorization: `Basic ${token}` }, admin]
    for (const headers of nobody) expect((await server.request('/metrics', { headers })).status).toBe(404)
    await using unset = await openTestServer({ log: openLog('silent') })
    for (const headers of [{}, bearer(token), bearer('undefined')])
      expect((await unset.request('/metrics', { headers })).status).toBe(404)
  })

  test('is the text format that Prometheus reads, kept by nobody', async () => {
    const { headers, text } = await server.request('/metrics', { headers: bearer(token) })
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(headers['cache-control']).toContain('no-store')
    expect(text.endsWith('\n')).toBe(true)
    const names = new Set((await scrape()).map(({ name }) => name))
    for (const name of [
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_seconds',
      'daybook_jobs',
      'daybook_mail_waiting',
      'daybook_email_stops',
      'daybook_alarms',
      'daybook_http_request_duration_seconds_count',
    ])
      expect(names).toContain(name)
    expect(await valueOf('daybook_scrape_unread_parts')).toBe(0)
    // A page like the ones after it.
    expect((await server.request('/metrics', { method: 'HEAD', headers: bearer(token) })).status).toBe(200)
    expect((await server.request('/metrics', { method: 'POST' })).status).toBe(405)
  })

  test('counts requests by the pattern of their route, kept answers too, and nothing that callers make up', async () => {
    const before = async (labels: Record<string, string>) =>
      (await valueOf('daybook_http_request_duration_seconds_count', labels)) ?? 0
    const list = { method: 'GET', route: '/western', status: '200' }
    const had = await before(list)
    for (let i = 0; i < 4; i += 1) await server.request('/western')
    expect(await before(list)).toBe(had + 4)
    for (const path of ['/western/no-such-entry', '/nowhere/7f3c', '/nowhere?token=secret']) await server.request(path)
    await server.request('/api/people/0192c7a4-1234-7abc-8def-0123456789ab', { headers: admin })
    expect(await before({ route: '/api/people/:id', status: '404' })).toBe(1)
    const known = new Set([...routes, ...pages].map(({ path }) => path))
    const labels = (await scrape()).flatMap(({ labels: { route } }) => (route === undefined ? [] : [route]))
    const others = [...new Set(labels)].filter((route) => !known.has(route))
    expect(others.filter((route) => !['*', '/assets/*', '/healthz', '/readyz'].includes(route))).toEqual([])
  })

  test('tells of emails in line', async () => {
    const had = (await valueOf('daybook_mail_waiting')) ?? 0
    const data = { userId: '0192c7a4-1234-7abc-8def-0123456789ab', email: 'jane@readers.example', name: 'Jane' }
    await server.app.mail.queue(server.app.db, accountMails.welcome, data)
    expect(await valueOf('daybook_mail_waiting')).toBe(had + 1)
    expect(await valueOf('daybook_jobs', { state: 'waiting' })).toBeGreaterThanOrEqual(had + 1)
  })

  test('has every alarm that the home of the administration shows, and each kind with 0 before', async () => {
    const { app } = server
    const id = '0192c7a4-1234-7abc-8def-0123456789ab'
    const kinds = features.flatMap(({ adminHome }) => Object.keys(adminHome?.problems ?? {}))
    expect(new Set(kinds).size).toBe(kinds.length)
    const alarmsOf = async () => (await scrape()).filter(({ name }) => name === 'daybook_alarms')
    expect((await alarmsOf()).map(({ labels: { name } }) => name)).toEqual(expect.arrayContaining(kinds))
    for (const name of ['limit forgot.site', 'backup.failed', `wrong-passwords ${id}`])
      app.alarms.raise({ name, headline: 'A test', sentence: 'A test raised it.', advice: 'Do nothing.' })
    await app.alarms.settle()
    await recordJobFailure(app, { name: 'print', reason: 'paper jam' })
    const { rows } = (await server.request('/api/admin/home', { headers: admin })).json() as AdminHome
    const raised = (await alarmsOf()).filter(({ value }) => value > 0)
    expect(raised.reduce((sum, { value }) => sum + value, 0)).toBe(rows.length)
    expect(raised.map(({ labels: { name } }) => name)).toEqual(
      expect.arrayContaining(['limit forgot.site', 'backup.failed', 'wrong-passwords', 'jobs']),
    )
    expect(JSON.stringify(raised)).not.toContain(id)
  })

  test.runIf(inject('preparedDatabase').engine === 'postgresql')('has the pools of connections', async () => {
    expect(await valueOf('daybook_pool_connections', { pool: 'visitors', state: 'waiting' })).toBe(0)
    expect(await valueOf('daybook_change_feed_age_seconds')).toBeLessThan(60)
  })
})

describe('what deploy/ brings for it', () => {
  /** Every name that an answer may have. */
  async function known(): Promise<Set<string>> {
    const all = Object.entries(openMetrics(server.app, server.database).all)
    const ours = all.flatMap(([name, { type }]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    )
    const { text } = await server.request('/metrics', { headers: bearer(token) })
    return new Set([...ours, ...[...text.matchAll(/^((?:process|nodejs)_\w+)/gm)].map(([, name = '']) => name)])
  }
  const named = (text: string): string[] => [
    ...new Set([...text.matchAll(/\b(?:daybook|process|nodejs)_[a-z_]+\b/g)].map(([name]) => name)),
  ]

  test.each(['grafana.json', 'alerts.yaml'])('%s names metrics that exist, and no others', async (file) => {
    const text = await readFile(join(deploy, file), 'utf8')
    const names = named(text)
    expect(names.length).toBeGreaterThan(5)
    const all = await known()
    expect(names.filter((name) => !all.has(name))).toEqual([])
  })

  test('the rules say what to do, and where that stands', async () => {
    const text = await readFile(join(deploy, 'alerts.yaml'), 'utf8')
    const operating = await readFile(join(deploy, '../docs/operating.md'), 'utf8')
    const rules = text.split(/^ {6}- alert: /m).slice(1)
    expect(rules.length).toBeGreaterThan(10)
    for (const rule of rules) {
      const { anchor } = /^ {10}runbook: docs\/operating\.md#(?<anchor>\S+)$/m.exec(rule)?.groups ?? {}
      expect(rule).toMatch(/^ {10}summary: .+[.]'?$/m)
      expect(rule).toMatch(/^ {10}description: .+[.]'?$/m)
      expect(operating, rule).toContain(`<a id="${anchor}"></a>`)
    }
    // Named alarms are those that the home knows.
    const names = [...text.matchAll(/daybook_alarms\{name="([^"]+)"/g)].map(([, name]) => name)
    const kinds = new Set(features.flatMap(({ adminHome }) => Object.keys(adminHome?.problems ?? {})))
    expect(names.filter((name = '') => name !== 'backup.failed' && !kinds.has(name))).toEqual([])
  })

  test.skipIf(spawnSync('promtool', ['--version']).error !== undefined)(
    'promtool reads the rules and the answer',
    async () => {
      const rules = spawnSync('promtool', ['check', 'rules', join(deploy, 'alerts.yaml')], { encoding: 'utf8' })
      expect([rules.status, rules.stderr]).toEqual([0, ''])
      const { text } = await server.request('/metrics', { headers: bearer(token) })
      const metrics = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
      // Others are its advice about names, such as those that the library gives.
      expect(metrics.stderr).not.toMatch(/error while linting|daybook_/)
    },
  )

  test('the board is one that Grafana takes', async () => {
    const board = JSON.parse(await readFile(join(deploy, 'grafana.json'), 'utf8')) as {
      panels: { id: number; title: string; gridPos: object; targets?: { expr: string }[] }[]
    }
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length)
    for (const { title, targets } of board.panels) expect([title, (targets ?? []).length > 0]).toEqual([title, true])
  })
})
