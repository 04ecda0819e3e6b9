import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, visitAs } from '../harness/browser.ts'
import { type Started, startProcess } from '../harness/processes.ts'

/*
 * The demo after its first start (docs/spec/operations.md#demo): every screen shows what a library in use has. One process,
 * three people, their pages side by side.
 */

let dataDir: string
let site: Started
let url: string
let browser: Browser
const tokens: Record<string, string> = {}

type Role = 'admin' | 'vip' | 'member'

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'daybook-demo-'))
  const env = { NODE_ENV: 'production', DEMO: '1', PORT: '0', DATA_DIR: dataDir, EMBEDDED_SYNC: 'off' }
  site = startProcess(['src/main.ts'], env)
  ;[url, browser] = await Promise.all([site.said(/is open at (http:\/\/localhost:\d+)/), openBrowser()])
  const logins = JSON.parse(await readFile(join(dataDir, 'demo-logins.json'), 'utf8')) as Record<string, string>
  for (const [email, password] of Object.entries(logins)) {
    const { token } = await post<{ token: string }>('/auth/login', { email, password })
    tokens[email.split('@')[0] ?? ''] = token
  }
})
afterAll(async () => {
  await browser.close()
  site.child.kill('SIGTERM')
  await site.ended
  await rm(dataDir, { recursive: true, force: true })
})

async function post<T>(path: string, body: object): Promise<T> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': 'daybook-web' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as T
}

async function read<T>(path: string, role?: Role): Promise<T> {
  const bearer = role === undefined ? {} : { authorization: `Bearer ${tokens[role]}` }
  const response = await fetch(url + path, { headers: { 'api-key': 'daybook-web', ...bearer } })
  expect(response.status, path).toBe(200)
  return (await response.json()) as T
}

interface Listed {
  name: string
  slug: string
  contentType: string
  category: string
}

async function search(query: string, role?: Role): Promise<{ data: Listed[]; totalPages: number }> {
  const { data } = await read<{ data: string }>(
    `/universal-search/search?page=1&sortBy=postDate&limit=300&${query}`,
    role,
  )
  return JSON.parse(Buffer.from(data.slice(0, 2) + data.slice(3), 'base64').toString('utf8')) as {
    data: Listed[]
    totalPages: number
  }
}

/** Opens pages one after the other as somebody, and looks for these words on each. */
async function see(
  role: Role | undefined,
  pages: Readonly<Record<string, readonly (string | RegExp)[]>>,
): Promise<void> {
  const token = role === undefined ? undefined : tokens[role]
  await visitAs(browser, url, { theme: 'light', expects: [/status of 4(04|10|51)/] }, async (page) => {
    if (token !== undefined) {
      await page.goto('/favicon.svg')
      await page.evaluate((value) => localStorage.setItem('Token', value), token)
    }
    for (const [path, words] of Object.entries(pages)) {
      await page.goto(path)
      for (const word of words) await stands(page, path, word)
    }
  })
}

async function stands(page: Page, path: string, words: string | RegExp): Promise<void> {
  const found = page.getByText(words).and(page.locator(':visible')).first()
  await found.waitFor({ timeout: 20_000 }).catch(() => {
    throw new Error(`On ${path} nothing says ${words}.`)
  })
}

describe.concurrent('after the first start of the demo', () => {
  test('visitors find lists of several pages, a tombstone, and figures of notices', async () => {
    const { data, totalPages } = await search('contentType=western')
    expect(data).toHaveLength(300)
    expect(totalPages).toBeGreaterThanOrEqual(2)
    const days = await Promise.all(
      ['today', 'yesterday', '7days'].map(async (dateFilter) => (await search(`dateFilter=${dateFilter}`)).data.length),
    )
    expect(Math.min(...days)).toBeGreaterThan(2)
    const months = Array.from({ length: 12 }, (_empty, i) => String(i + 1).padStart(2, '0'))
    for (const found of await Promise.all(months.map((month) => search(`month=${month}&monthField=postDate`))))
      expect(found.data.length).toBeGreaterThan(10)
    await see(undefined, {
      '/': ['Choose Your Experience'],
      '/western': ['Load More Content', /^NEW/],
      '/asian': [/^NEW/],
      '/banned': ['Banned'],
      '/unknown': ['Unknown'],
      '/western/peter-pan': ['Project Gutenberg', 'PGLAF Mirror'],
      '/western/the-count-of-monte-cristo': ['N-'],
      '/transparency': ['Copyright'],
      '/plans': ['VIP ALL ACCESS'],
    })
  })

  test('the VIP has bought a year in the sandbox, and finds every list of the VIP area filled', async () => {
    const profile = await read<{ isVip: boolean; vipExpirationDate: string }>('/auth/dashboard', 'vip')
    expect(profile.isVip).toBe(true)
    const days = (Date.parse(profile.vipExpirationDate) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(150)
    expect(days).toBeLessThan(366)
    for (const shelf of ['vip-banned', 'vip-unknown']) {
      const { data } = await search(`shelf=${shelf}`, 'vip')
      for (const type of ['vip', 'vip-asian', 'vip-western', shelf])
        expect(
          data.filter(({ contentType }) => contentType === type).length,
          `${type} on ${shelf}`,
        ).toBeGreaterThanOrEqual(2)
    }
    const portal = await fetch(`${url}/stripe-portal/create-portal-session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens['vip']}` },
    })
    expect(portal.status).toBe(200)
    await see('vip', {
      '/vip': ['VIP ASIAN PREMIUM'],
      '/vip-asian': ['VIP Asian Content'],
      '/vip-western': ['VIP Western Content'],
      '/vip-banned': [/^VIP Banned - /, 'ASIAN', 'WESTERN'],
      '/vip-unknown': [/^VIP Unknown - /],
      '/account': ['VIP Subscription', 'Manage Subscription', /renews/i],
      '/requests': ['紅樓夢 with all 120 chapters', 'Brehms Tierleben, second edition'],
    })
  })

  test('administrators find every screen filled, and the demo said on each', async () => {
    const demo = 'Start my own library'
    const vips = await read<{ vipExpirationDate: string; vipDisabled: boolean }[]>('/auth/vip-users', 'admin')
    const isOver = ({ vipExpirationDate: end }: { vipExpirationDate: string }): boolean => Date.parse(end) <= Date.now()
    expect(vips.filter(isOver)).toHaveLength(2)
    expect(vips.filter((vip) => !isOver(vip)).length).toBeGreaterThan(15)
    const disabled = await read<{ vipExpirationDate: string }[]>('/auth/vip-disabled-users', 'admin')
    expect(disabled).toHaveLength(2)
    expect(disabled.filter(({ vipExpirationDate }) => vipExpirationDate === 'Not defined')).toHaveLength(1)
    const statistics = await read<{ totalUsers: number; usersLastMonth: number }>('/api/stats', 'admin')
    expect(statistics.totalUsers).toBe(60)
    expect(statistics.usersLastMonth).toBeGreaterThan(3)
    const requests = await read<{ status: string }[]>('/recommendations', 'admin')
    expect(new Set(requests.map(({ status }) => status))).toEqual(new Set(['pending', 'approved', 'rejected']))
    await see('admin', {
      '/admin': [demo, / things? needs? you\./, /requests? to decide|requests? wait/i],
      '/admin/demo': [demo, 'ADMIN_EMAIL'],
      '/admin/settings': [demo],
      '/admin/stats': [demo, 'dune'],
      '/admin/requests': [demo, 'Brehms Tierleben, second edition'],
      '/admin-vip-users': [demo, 'Vera Vip'],
      '/admin-vip-disabled': [demo, 'Not defined'],
      '/admin/notices': [demo, 'Henry Heir'],
      '/admin/support': [demo, 'Peter Page'],
      '/admin/people': [demo, 'Max Member'],
      '/admin/billing': [demo],
      '/admin/links': [demo, /dead/i],
      '/admin/rights': [demo, 'Violists'],
      '/admin/categories': [demo, 'VIP Banned'],
      '/admin/audit': [demo, 'Renewed VIP access'],
    })
  })

  test('nobody was mailed about a past that nobody lived', async () => {
    expect(await readdir(join(dataDir, 'mail')).catch(() => [])).toHaveLength(0)
    expect(site.output().split('\n').length).toBeLessThan(60)
  })
})
