/**
 * The preconditions of a command: packages, the pinned Node and the built pages. Plain JavaScript, because the system's
 * Node (20 or newer) runs it before anything is installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
export const pinnedNode = join(root, 'node_modules', 'node', 'bin', 'node')

const lockFile = join(root, '.setup.lock')
const stampFile = join(root, 'build', 'stamp')

/** Ends the command with one sentence for people. */
export function fail(sentence) {
  console.error(`\n${sentence}`)
  process.exit(1)
}

export function say(sentence) {
  console.error(`· ${sentence}`)
}

/** A path of node_modules/.bin on the pinned Node: what every tool of the project is started with. */
export function environment(additions = {}) {
  return { ...process.env, PATH: [join(root, 'node_modules', '.bin'), ...searchPath()].join(delimiter), ...additions }
}

/**
 * Settings that take a quarter of the memory off a server (docs/decisions/2026-12-01-where-the-memory-is.md): a smaller nursery, and an allocator that gives
 * large buffers back at once. The files in deploy/ set the same.
 */
export const frugal = {
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '1',
  MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'] ?? '131072',
  // The last one counts.
  NODE_OPTIONS: `--max-semi-space-size=16 ${process.env.NODE_OPTIONS ?? ''}`.trim(),
}

/** PATH without this project's own tools: npm must not run on the Node that it is about to replace. */
function searchPath() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => entry !== '' && !entry.startsWith(join(root, 'node_modules') + sep))
}

function checkNodeVersion() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20) fail(`Daybook needs Node 20 or newer to start; this is ${process.versions.node}.`)
}

/** True when what npm wrote down about node_modules agrees with package-lock.json on every package. */
function isInstalled() {
  if (!existsSync(pinnedNode)) return false
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
    const present = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')).packages
    return Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        path === '' || present[path]?.version === version || (optional && present[path] === undefined),
    )
  } catch {
    return false
  }
}

/** Installs the packages of package-lock.json if they are not there. */
export async function ensureInstalled() {
  checkNodeVersion()
  if (isInstalled()) return
  await alone(() => {
    if (isInstalled()) return
    say('Installing packages (once; about a minute) …')
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      env: { ...process.env, PATH: searchPath().join(delimiter), NODE_ENV: '' },
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    })
    if (status !== 0) fail('The packages could not be installed: see the message of npm above.')
    if (!isInstalled())
      fail(
        `npm finished, but the pinned Node is missing (${pinnedNode}). Does npm skip install scripts (ignore-scripts)?`,
      )
  })
}

/** Everything that is built, as one digest. */
function sourceStamp() {
  const digest = createHash('sha256')
  const add = (path) =>
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  const walk = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) walk(path)
      else if (!/\.test\.tsx?$|\.md$/.test(entry.name)) add(path)
    }
  }
  walk('src')
  walk('sandbox')
  // The reference of the HTTP interface is built into its page.
  walk(join('docs', 'api'))
  if (existsSync(join(root, 'public'))) walk('public')
  for (const path of ['package-lock.json', 'react-router.config.ts', 'tsconfig.json', 'vite.config.ts']) add(path)
  return digest.digest('hex')
}

function isBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceStamp()
}

/** Builds the pages and the server if their sources have changed. */
export async function ensureBuilt() {
  const standing = join(root, 'build')
  if (isBuilt()) return
  await alone(() => {
    if (isBuilt()) return
    say('Building …')
    const stamp = sourceStamp()
    const fresh = join(root, 'build.new')
    const former = join(root, 'build.old')
    // A build that was ended between the two renamings below has left it there.
    if (!existsSync(standing) && existsSync(former)) renameSync(former, standing)
    rmSync(fresh, { recursive: true, force: true })
    rmSync(former, { recursive: true, force: true })
    const { status, stdout, stderr } = spawnSync(
      pinnedNode,
      [join(root, 'node_modules', '.bin', 'react-router'), 'build'],
      {
        cwd: root,
        env: environment({ NODE_ENV: 'production', BUILD_DIRECTORY: 'build.new' }),
        stdio: ['ignore', 'pipe', 'pipe'],
        maxBuffer: 64 * 1024 * 1024,
      },
    )
    if (status !== 0) {
      process.stderr.write(stdout)
      process.stderr.write(stderr)
      fail('The build failed: see the message above.')
    }
    compress(join(fresh, 'client'))
    copyFileSync(join(root, 'sandbox', 'sandbox.css'), join(fresh, 'server', 'sandbox.css'))
    writeFileSync(join(fresh, 'stamp'), stamp)
    if (existsSync(standing)) renameSync(standing, former)
    renameSync(fresh, standing)
    rmSync(former, { recursive: true, force: true })
  })
}

/** Leaves the smallest brotli form beside each text file: it takes a second once, and would at every start. */
function compress(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(js|css|svg)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
  }
}

/** Carries out one task while no other process of this folder does; waits for its turn. */
async function alone(task) {
  let told = false
  while (!takeLock()) {
    if (!told) say('Another command is preparing this folder; waiting for it …')
    told = true
    await new Promise((wake) => setTimeout(wake, 200))
  }
  const release = () => rmSync(lockFile, { force: true })
  process.once('exit', release)
  try {
    await task()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

function takeLock() {
  try {
    const file = openSync(lockFile, 'wx')
    writeSync(file, String(process.pid))
    closeSync(file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const holder = existsSync(lockFile) ? Number(readFileSync(lockFile, 'utf8')) : 0
  // An empty file is a holder that has not written its number yet.
  if (holder !== 0 && !isAlive(holder)) rmSync(lockFile, { force: true })
  return false
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Runs a program on the pinned Node until it ends, hands signals on to it, and ends with its exit code.
 * Ctrl-C in a terminal reaches the child by itself, so only a SIGINT without a terminal is handed on.
 */
export function runPinned(args, additions = {}) {
  // The next start takes the sources as Node has compiled them: a fifth of a start's processor time.
  const env = environment({ NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'), ...additions })
  const child = spawn(pinnedNode, args, { cwd: root, env, stdio: 'inherit' })
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((ended) => {
    child.on('error', (error) => fail(`${pinnedNode} does not start: ${error.message}`))
    child.on('exit', (code, signal) => ended(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}
