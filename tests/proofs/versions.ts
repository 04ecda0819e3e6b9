import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright'
import type { App } from '../../src/app/app.ts'
import { readConfig } from '../../src/app/config.ts'
import { openApp } from '../../src/app/open-app.ts'
import { lastOfFormer } from '../../src/db/migrations/index.ts'
import { openLog } from '../../src/platform/log.ts'
import { until } from '../cluster/cluster.ts'
import { administratorHeaders, call, Callers, removeBy } from '../harness/callers.ts'
import { freePort } from '../harness/free-port.ts'
import { startNginx } from '../harness/nginx.ts'
import { aNotice } from '../harness/notices.ts'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'
import { addressOf, kill, type Started, startProcess } from '../harness/processes.ts'

/*
 * The version before beside this one, on one PostgreSQL and one Redis behind nginx (docs/operating.md#versions): this one is started
 * beside it, takes over, and hands back. No request fails, each shows what the other writes, and a tab goes on.
 */

const root = resolve(import.meta.dirname, '../..')
const server = 'postgresql://postgres@127.0.0.1:5432/postgres'
const login = { email: 'desk@library.example', password: 'a quiet reading room' }
const reader = { name: 'Jane Reader', password: login.password }
const entries = 8

const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
const told = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

/** @param ref that of git; by default the last commit before this one that gave the package a version */
function commitOf(ref: string | undefined): string {
  if (ref !== undefined) return git('rev-parse', `${ref}^{commit}`)
  const versions = git('log', '--format=%H', '-G"version":', '--', 'package.json').split('\n')
  return versions.find((commit) => commit !== git('rev-parse', 'HEAD')) ?? ''
}

/** The sources of a commit, installed and built. @returns the folder, which stays for the next run */
async function prepareFormer(commit: string): Promise<string> {
  const folder = join(tmpdir(), `daybook-former-${commit}`)
  if (existsSync(folder)) return folder
  const unfinished = await mkdtemp(join(tmpdir(), 'daybook-former-'))
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['-x', '-C', unfinished], { input: archive })
  const locks = await Promise.all([root, unfinished].map((each) => readFile(join(each, 'package-lock.json'), 'utf8')))
  if (locks[0] === locks[1]) await symlink(join(root, 'node_modules'), join(unfinished, 'node_modules'))
  const prepare = pathToFileURL(join(unfinished, 'scripts/prepare.mjs')).href
  const program = `const { ensureInstalled, ensureBuilt } = await import('${prepare}'); await ensureInstalled(); await ensureBuilt()`
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: unfinished, stdio: 'inherit' })
  await rename(unfinished, folder)
  return folder
}

/** On a database that this version has migrated, only the version whose last migration it notes may start again. */
async function compareMigrations(former: string): Promise<void> {
  const { migrations } = (await import(pathToFileURL(join(former, 'src/db/migrations/index.ts')).href)) as {
    migrations: object
  }
  const last = Object.keys(migrations).at(-1)
  if (last !== lastOfFormer) throw new Error(`The former ends with ${last}, and this version notes ${lastOfFormer}.`)
}

class Site {
  readonly front: string
  readonly folder: string
  readonly environment: Record<string, string>
  readonly running = new Map<string, Started>()

  constructor(folder: string, environment: Record<string, string>) {
    this.folder = folder
    this.environment = environment
    this.front = environment['PUBLIC_URL'] ?? ''
  }

  /** Starts a version, and waits until it is open. @returns its address */
  async start(source: string, port: number): Promise<string> {
    const started = startProcess([join(source, 'build/server/daybook.js')], this.#settings(port), {
      input: '',
      cwd: source,
    })
    this.running.set(source, started)
    return addressOf(started)
  }

  async stop(source: string): Promise<void> {
    const started = this.running.get(source)
    started?.child.kill('SIGTERM')
    const end = await started?.ended
    if (end !== 0) throw new Error(`A version ended with ${end}:\n${started?.output()}`)
  }

  async command(source: string, ...words: string[]): Promise<void> {
    const { ended, output } = startProcess([join(source, 'build/server/daybook.js'), ...words], this.#settings(0))
    if ((await ended) !== 0) throw new Error(output())
  }

  #settings(port: number): Record<string, string> {
    return {
      NODE_ENV: 'production',
      ...this.environment,
      PORT: String(port),
      DATA_DIR: join(this.folder, `data-${port}`),
    }
  }
}

/** Entries under the names of what happens to them. */
async function fill(site: Site, source: string): Promise<void> {
  const slugs = [
    'first',
    'second',
    'third',
    'gone-0',
    'gone-1',
    'gone-2',
    ...Array.from({ length: entries }, (_, at) => `e${at}`),
  ]
  const head =
    'name,slug,category,contentType,region,postDate,link,rating,rightsBasis,evidence,permitsDownload,permitsPaidAccess,people'
  const lines = slugs.map(
    (slug) =>
      `The ${slug},${slug},Literature,western,western,2026-10-01,https://files.example/${slug},general,public_domain,https://example.org/${slug},true,true,none`,
  )
  const file = join(site.folder, 'entries.csv')
  await writeFile(file, `${[head, ...lines].join('\n')}\n`)
  await site.command(source, 'import', file, '--publish', '--create-categories')
}

const shows = async (address: string, words: string): Promise<boolean> => {
  const answer = await call(address)
  return answer.status === 200 && (await answer.text()).includes(words)
}

/** Has one version write, and the other one read it. */
async function exchange(app: App, one: string, other: string, turn: number): Promise<void> {
  const email = `jane-${turn}@readers.example`
  await expectStatus(201, `${one}/auth/register`, { ...reader, email })
  await expectStatus(200, `${other}/auth/login`, { email, password: reader.password })
  const headers = await administratorHeaders(one, login)
  const [item] = await app.db.selectFrom('items').select(['id', 'version']).where('slug', '=', 'third').execute()
  const body = { name: `Written ${turn}`, version: item?.version }
  // The session of the one is known to the other.
  const edited = await call(`${other}/westerncontent/${item?.id}`, { method: 'PUT', headers, body })
  if (edited.status !== 200) throw new Error(`An edit was answered ${edited.status}: ${await edited.text()}`)
  for (const place of [one, other])
    await until(() => shows(`${place}/western/third`, body.name), `${place} shows the edit`)
  const gone = `gone-${turn}`
  await until(() => shows(`${other}/western`, gone), `${other} shows what is to be removed`)
  const { reference } = await aNotice(app, { urls: [gone] })
  await removeBy(one, headers, reference)
  await until(async () => !(await shows(`${other}/western`, gone)), `${other} shows no removed entry`)
}

async function expectStatus(status: number, address: string, body: object): Promise<void> {
  const answer = await call(address, { body })
  if (answer.status !== status) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
}

/** A reader's tab, and all that it complains of. */
async function openTab(browser: Browser, front: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ baseURL: front })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
  })
  await page.goto('/western')
  return { page, complaints }
}

/** Goes to an entry and back by the links of the page. */
async function goOn(page: Page, slug: string): Promise<void> {
  try {
    await page.locator(`a[href^="/western/${slug}"]`).first().click()
    await page.waitForURL(`**/western/${slug}*`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goBack()
    await page.locator('a[href^="/western/first"]').first().waitFor()
  } catch (cause) {
    throw new Error(`The tab shows ${page.url()}:\n${await page.locator('body').innerText()}`, { cause })
  }
}

async function prove(former: string): Promise<void> {
  await compareMigrations(former)
  const folder = await mkdtemp(join(tmpdir(), 'daybook-versions-'))
  const database = `daybook_versions_${process.pid}`
  const [port, redisPort, oldPort, newPort] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const site = new Site(folder, {
    DEMO: '0',
    PAYMENTS: 'off',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: databaseUrl(server, database),
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    TRUSTED_PROXIES: '127.0.0.1/32',
    ADMIN_EMAIL: login.email,
    ADMIN_PASSWORD: login.password,
    REQUIRE_ADMIN_SECOND_FACTOR: '0',
    LINK_CHECKS: 'off',
    LOG_LEVEL: 'warn',
  })
  await onServer(server, `create database ${database}`)
  const redis = spawn('redis-server', ['--port', String(redisPort), '--save', '', '--dir', folder], { stdio: 'ignore' })
  const nginx = await startNginx(port, [oldPort, newPort])
  const { ensureChromium } = (await import(pathToFileURL(join(root, 'scripts/chromium.mjs')).href)) as {
    ensureChromium: () => string
  }
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const old = await site.start(former, oldPort)
    await fill(site, former)
    await until(() => shows(`${site.front}/western`, 'The second'), 'the former shows its entries')
    const { page, complaints } = await openTab(browser, site.front)
    const items = (await onServer(
      site.environment['DATABASE_URL'] ?? '',
      `select id::text as id from items where slug ~ '^e[0-9]' order by slug`,
    )) as { id: string }[]
    const headers = await administratorHeaders(site.front, login)
    const callers = new Callers(site.front, items, headers, login.password)

    const fresh = await site.start(root, newPort)
    told('This version has started beside the former.')
    const { app, close } = await openApp(
      readConfig({ ...site.environment, PORT: '0', DATA_DIR: join(folder, 'looking'), LOG_LEVEL: 'error' }),
      openLog('error', { write: () => true }),
      { hasClockwork: false },
    )
    /** No version has the files of a later one: a tab that has just begun a page of that asks for them in vain, and loads anew. */
    const stopFor = async (tab: Page, source: string): Promise<void> => {
      await tab.waitForLoadState('networkidle')
      await site.stop(source)
    }
    try {
      await exchange(app, old, fresh, 0)
      await exchange(app, fresh, old, 1)
      told('Each shows what the other writes.')
      await goOn(page, 'second')
      await stopFor(page, former)
      await goOn(page, 'first')
      told('The former has stopped, and its tab goes on with this version.')
      await site.start(former, oldPort)
      await exchange(app, old, fresh, 2)
      await stopFor(page, root)
      await goOn(page, 'second')
      told('The former has started again and this version has stopped: the way back is open.')
      await callers.stop()
      await site.stop(former)
    } finally {
      await close()
    }
    const { requests, writes, failed } = callers.counted
    told(JSON.stringify({ requests, writes, failed, complaints }))
    if (failed.length > 0 || complaints.length > 0 || requests < 100) process.exitCode = 1
  } finally {
    await browser.close()
    await Promise.all([...site.running.values()].map(kill))
    redis.kill()
    await nginx.close()
    await onServer(server, `drop database ${database} with (force)`)
    await rm(folder, { recursive: true, force: true })
  }
}

const commit = commitOf(process.argv[2])
told(`The former version: ${git('log', '-1', '--format=%h %s', commit)}`)
await prove(await prepareFormer(commit))
