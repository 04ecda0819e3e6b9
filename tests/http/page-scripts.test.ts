import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

const client = resolve(import.meta.dirname, '../../build/client')

/** React Router's manifest of the built pages. */
interface Manifest {
  entry: { module: string; imports: string[] }
  routes: Record<string, { parentId?: string; module: string; imports?: string[] }>
}

let manifest: Manifest

beforeAll(() => {
  const name = readdirSync(join(client, 'assets')).find((name) => /^manifest-\w+\.js$/.test(name)) ?? ''
  const text = read(`/assets/${name}`)
  manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as Manifest
})

function read(address: string): string {
  return readFileSync(join(client, address), 'utf8')
}

/** The scripts that a page is loaded with. */
function scriptsOf(page: string): string[] {
  const scripts = new Set([manifest.entry.module, ...manifest.entry.imports])
  for (let id: string | undefined = page; id !== undefined; id = manifest.routes[id]?.parentId) {
    const route = manifest.routes[id]
    if (route === undefined) throw new Error(`There is no page ${id}: ${Object.keys(manifest.routes).join(', ')}`)
    for (const script of [route.module, ...(route.imports ?? [])]) scripts.add(script)
  }
  return [...scripts].filter((script) => script.endsWith('.js'))
}

/** These, and what they may load later: the header of members, for example. */
function withLaterScripts(scripts: readonly string[]): string[] {
  const all = new Set(scripts)
  for (const script of all) {
    // A script names the scripts that it loads later.
    for (const [, name = ''] of read(script).matchAll(/["'`](?:\.\/|\/?assets\/)([\w.-]+\.js)["'`]/g)) {
      if (!name.startsWith('manifest-')) all.add(`/assets/${name}`)
    }
  }
  return [...all]
}

/** Texts of the libraries, which no minifier changes. */
const queries = 'Missing queryFn: '
const schemas = 'ZodMiniObject'
const charts = 'recharts-responsive-container'
const passkeys = 'WebAuthn is not supported in this browser'
const qrCodes = 'Data too long'
/** Texts of the lists of VIPs and of their entries, and one of every list. */
const vipTexts = ['Censored and withdrawn works', 'Download Options']
const listText = 'Previous page'

const holds = (scripts: readonly string[], text: string) => scripts.filter((script) => read(script).includes(text))

const publicPages = [
  'features/site/pages/chooser',
  'chooser',
  'asian',
  'western',
  'banned',
  'unknown',
  'asian-detail',
  'western-detail',
  'plans',
  'login',
  'register',
  'forgot-password',
  'reset-password',
  'cancel',
  'support',
  'report',
  'features/site/pages/not-found',
]

describe('the scripts of public pages', () => {
  test.each(publicPages)('%s is loaded without the library for queries, also later', (page) => {
    const scripts = scriptsOf(page)
    expect(holds(scripts, queries)).toEqual([])
    expect(holds(withLaterScripts(scripts), queries)).toEqual([])
  })

  test.each(publicPages)('%s is loaded without the library for schemas; the header of members brings it', (page) => {
    expect(holds(scriptsOf(page), schemas)).toEqual([])
  })

  test.each(publicPages)('%s is loaded without a word of the lists of VIPs, also later', (page) => {
    for (const text of vipTexts) {
      expect(holds(withLaterScripts(scriptsOf(page)), text)).toEqual([])
      expect(holds(scriptsOf('vip-banned-detail'), text)).toHaveLength(1)
    }
  })

  test('what only lists need is in no file of the other pages', () => {
    for (const page of publicPages)
      expect(holds(scriptsOf(page), listText).length, page).toBe(/^(asian|western|banned|unknown)$/.test(page) ? 1 : 0)
  })

  test('the pages of members and administrators have it in one file', () => {
    const files = [
      'account',
      'success',
      'vip',
      'vip-asian',
      'vip-asian-detail',
      'admin/billing',
      'admin/billing/:id',
    ].map((page) => holds(scriptsOf(page), queries))
    expect(files[0]).toHaveLength(1)
    expect(holds(scriptsOf('account'), schemas)).toHaveLength(1)
    for (const found of files) expect(found).toEqual(files[0])
  })

  test('the library of charts is loaded later by the statistics, and by no other page', () => {
    expect(holds(scriptsOf('admin/stats'), charts)).toEqual([])
    expect(holds(withLaterScripts(scriptsOf('admin/stats')), charts)).toHaveLength(1)
    for (const page of publicPages) expect(holds(withLaterScripts(scriptsOf(page)), charts), page).toEqual([])
    for (const page of ['account', 'vip', 'admin', 'admin/audit', 'admin/billing', 'admin/links'])
      expect(holds(withLaterScripts(scriptsOf(page)), charts), page).toEqual([])
  })

  test('no page of administration, nor what stands around all of them, is loaded by a public page, a member or a VIP', () => {
    const pages = Object.keys(manifest.routes).filter((page) => /^admin(?:\/|-|$)/.test(page))
    expect(pages.length).toBeGreaterThan(30)
    const own = new Set([...pages, 'features/site/pages/require-admin'].map((page) => manifest.routes[page]?.module))
    expect(holds(scriptsOf('admin'), 'Find anything')).toHaveLength(1)
    for (const page of [...publicPages, 'account', 'success', 'vip', 'vip-asian-detail']) {
      const scripts = withLaterScripts(scriptsOf(page))
      expect(
        scripts.filter((script) => own.has(script)),
        page,
      ).toEqual([])
      expect(holds(scripts, 'Find anything'), page).toEqual([])
    }
  })

  test.each([
    ['passkeys', passkeys],
    ['QR codes', qrCodes],
  ])('the library of %s is loaded by no page, and later by the account page', (_name, text) => {
    for (const page of [...publicPages, 'account', 'vip', 'admin'])
      expect(holds(scriptsOf(page), text), page).toEqual([])
    expect(holds(withLaterScripts(scriptsOf('account')), text)).toHaveLength(1)
  })

  test('the second step of a sign-in is loaded by whoever is asked for it, and QR codes by members and where an entry is shared', () => {
    const text = 'One of the codes that you saved.'
    expect(holds(scriptsOf('login'), text)).toEqual([])
    expect(holds(withLaterScripts(scriptsOf('login')), text)).toHaveLength(1)
    for (const page of publicPages)
      expect(holds(withLaterScripts(scriptsOf(page)), qrCodes).length, page).toBe(page.endsWith('-detail') ? 1 : 0)
  })

  test('a listing is loaded with at most 112 kB of scripts as they are sent', () => {
    const bytes = scriptsOf('asian').map((script) => statSync(join(client, `${script}.br`)).size)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(112_000)
  })
})
