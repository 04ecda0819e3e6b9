import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail, say } from './prepare.mjs'

/** The shell has no window: a page takes a quarter less of the processor there. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
]
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
const howTo =
  'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM to the path of a Chrome or Chromium.'

function find() {
  const given = process.env.CHROMIUM
  if (given !== undefined && given !== '') {
    if (!isProgram(given)) fail(`CHROMIUM is ${given}, which is not a program. ${howTo}`)
    return given
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere].find(isProgram)
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of a Chromium; where it may (root on Debian), it installs one. */
export function ensureChromium() {
  const found = find()
  if (found !== undefined) return found
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) fail(howTo)
  say('Installing Chromium with apt-get (once; about a minute) …')
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const install = (browser) =>
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', browser, 'fonts-noto-cjk'], options)
      .status === 0
  if (!install('chromium-headless-shell')) {
    spawnSync('apt-get', ['update', '-qq'], options)
    // Some releases have no package of the shell alone.
    if (!install('chromium-headless-shell')) install('chromium')
  }
  return find() ?? fail(`apt-get could not install Chromium. ${howTo}`)
}
