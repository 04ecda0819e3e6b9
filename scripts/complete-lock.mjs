/**
 * `npm run lock`: brings package-lock.json in line with package.json, on any platform for all of them.
 *
 * npm leaves an optional package out of the lock that the registry at hand does not carry, and then `npm ci` calls the lock
 * out of step everywhere. Such a package is recorded here by its name and its exact version, and `npm run lock` fails: without a
 * checksum nobody would notice another package under its name. Beside a registry that carries it, `npm run lock` records both.
 *
 * With `--check` it writes nothing, and fails for a lock that holds a package without a checksum: part of the quick gate.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const lockFile = join(root, 'package-lock.json')

/** The platform in the name of a package, as npm writes it into a lock. */
export function platformOf(name) {
  const [, os, cpu, libc] =
    /(android|darwin|freebsd|linux|openharmony|win32)-(x64|arm64|arm|ia32|ppc64|riscv64|s390x)(?:-\w*?(gnu|musl|eabi|msvc)\w*)?$/.exec(
      name,
    ) ?? []
  if (os === undefined) return name.endsWith('-wasm32-wasi') ? { cpu: ['wasm32'] } : undefined
  const abi = { gnu: 'glibc', musl: 'musl' }[libc]
  return { cpu: [cpu], os: [os], ...(os === 'linux' && abi !== undefined ? { libc: [abi] } : {}) }
}

/** The optional packages that a lock asks for and does not hold: name, version, and who asks. */
export function missingFrom({ packages }) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies).flatMap(([name, version]) =>
      isHeld(packages, path, name) ? [] : [{ name, version, dev, asker: path }],
    ),
  )
}

/** As Node looks a package up: beside the asker, then in every folder above. */
function isHeld(packages, asker, name) {
  for (let at = asker; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`] !== undefined) return true
    if (at === '') return false
  }
}

/** A lock with all its optional packages. @throws {Error} for one whose platform or exact version cannot be told */
export function completed(lock) {
  const added = missingFrom(lock).map(({ name, version, dev, asker }) => {
    const platform = platformOf(name)
    if (platform === undefined || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      throw new Error(`${asker} asks for ${name}@${version}, of which the platform or the exact version is unknown.`)
    return [`node_modules/${name}`, { version, ...platform, ...(dev ? { dev } : {}), optional: true }]
  })
  const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(added) })
  return { ...lock, packages: Object.fromEntries(packages.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** The packages of a lock that npm would install without looking at their content. */
export function withoutChecksum({ packages }) {
  return Object.entries(packages).flatMap(([path, { integrity, link, inBundle }]) =>
    path === '' || integrity !== undefined || link || inBundle ? [] : [path],
  )
}

/** @returns the exit code: 1 where a package has no checksum */
function reportWithoutChecksum(lock) {
  const without = withoutChecksum(lock)
  if (without.length === 0) return 0
  console.error(
    `No checksum in package-lock.json. Run 'npm run lock' beside a registry that carries:\n${without.join('\n')}`,
  )
  return 1
}

function readLock() {
  return JSON.parse(readFileSync(lockFile, 'utf8'))
}

/** Without the tools of this project: npm would take the Node among them, and that one may be on its way out. */
function searchPath() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes(join(root, 'node_modules')))
    .join(delimiter)
}

function main() {
  // A package without a checksum is requested again: this registry may carry it.
  const { packages, ...lock } = readLock()
  const kept = Object.entries(packages).filter(([path, { integrity }]) => path === '' || integrity !== undefined)
  writeLock({ ...lock, packages: Object.fromEntries(kept) })
  const { status } = spawnSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    cwd: root,
    env: { ...process.env, PATH: searchPath() },
    stdio: 'inherit',
  })
  if (status !== 0) {
    writeLock({ ...lock, packages })
    process.exit(status ?? 1)
  }
  const fresh = readLock()
  const whole = completed(fresh)
  writeLock(whole)
  process.exitCode = reportWithoutChecksum(whole)
}

function writeLock(lock) {
  writeFileSync(lockFile, `${JSON.stringify(lock, undefined, 2)}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--check')) process.exitCode = reportWithoutChecksum(readLock())
  else main()
}
