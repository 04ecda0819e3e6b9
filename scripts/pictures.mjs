/**
 * `npm run pictures`: the pictures of the README, taken from the demo as it is today and written to `docs/pictures`. They are WebP
 * for their size, which is bounded.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import sharp from 'sharp'
import { ensureChromium } from './chromium.mjs'
import { ensureBuilt, ensureInstalled, fail, root } from './prepare.mjs'

const maxBytes = 150_000
const folder = join(root, 'docs/pictures')

await ensureInstalled()
await ensureBuilt()
const dataDir = mkdtempSync(join(tmpdir(), 'daybook-pictures-'))
const server = spawn(process.execPath, [join(root, 'build/server/daybook.js')], {
  env: { PATH: process.env.PATH, NODE_ENV: 'production', DATA_DIR: dataDir, PORT: '0', DEMO: '1' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  const site = await addressOf(server)
  const logins = Object.entries(JSON.parse(readFileSync(join(dataDir, 'demo-logins.json'), 'utf8')))
  const loginOf = (role) => logins.find(([email]) => email.startsWith(role)) ?? fail(`The demo has no ${role}.`)
  mkdirSync(folder, { recursive: true })
  await picture(site, { name: 'list', path: '/western' })
  await picture(site, { name: 'entry', path: '/western/alices-adventures-in-wonderland' })
  await picture(site, { name: 'vip', path: '/vip-western', theme: 'dark', login: loginOf('vip') })
  await picture(site, { name: 'administration', path: '/admin', login: loginOf('admin') })
} finally {
  await browser.close()
  server.kill()
  await new Promise((ended) => server.once('exit', ended))
  rmSync(dataDir, { recursive: true, force: true })
}

async function addressOf({ stdout }) {
  let said = ''
  for await (const chunk of stdout) {
    said += chunk
    const [, address] = /open at (http:\S+)\s/.exec(said) ?? []
    if (address !== undefined) return address
  }
  return fail(`The site did not start:\n${said}`)
}

/** @param login the address and the password of the one who looks; a visitor without it */
async function picture(site, { name, path, theme = 'light', login }) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(site)
  await page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme)
  if (login !== undefined) await signIn(page, site, login)
  const answer = await page.goto(`${site}${path}`, { waitUntil: 'networkidle' })
  if (answer.status() !== 200 || (await page.getByRole('heading', { name: 'Not Found' }).count()) > 0)
    fail(`${path} shows nothing.`)
  const bytes = await sharp(await page.screenshot())
    .webp({ quality: 84 })
    .toBuffer()
  if (bytes.length > maxBytes) fail(`The picture of ${path} has ${bytes.length} bytes, more than ${maxBytes}.`)
  writeFileSync(join(folder, `${name}.webp`), bytes)
  await page.close()
}

async function signIn(page, site, [email, password]) {
  await page.goto(`${site}/login`, { waitUntil: 'networkidle' })
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}
