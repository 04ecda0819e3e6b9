/**
 * `npm run release [-- FOLDER]`: the archive that runs with nothing but Node, its checksum and its bill of materials, in `release/`.
 * The packages in it are those that the built server loads; what is built into the pages is named in its NOTICE.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { ensureBuilt, ensureInstalled, fail, root, say } from './prepare.mjs'

const maxMegabytes = 120
/** A page loads them in browsers alone, from what the build has made of them. */
const ofBrowsers = new Set(['recharts'])
/** The second copy of packages that the server imports as modules. */
const ofCommonJs = /node_modules\/(?:stripe\/cjs\/|zod\/.*\.cjs$)/
const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
const name = `daybook-${version}`
const out = resolve(process.argv[2] ?? join(root, 'release'))
const folder = join(out, name)

await ensureInstalled()
await ensureBuilt()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

say('Putting the release together …')
const isTest = (path) => /\.test\.tsx?$/.test(path)
for (const part of [
  'build/client',
  'build/server',
  'build/stamp',
  'src',
  'docs',
  'deploy',
  'demo',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
])
  cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => !isTest(path) })
cpSync(join(root, 'scripts', 'release-start.mjs'), join(folder, 'daybook.mjs'))
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify({ name: 'daybook', version, description, license, type: 'module', private: true, engines: { node: '>=22' } }, undefined, 2)}\n`,
)
nameCommands(join(folder, 'build'))
const packages = packagesOf(join(folder, 'build', 'server'))
for (const path of packages) copyPackage(path)
writeFileSync(join(folder, 'NOTICE'), notice())

const materials = spawnSync('npm', ['sbom', '--omit=dev', '--sbom-format=cyclonedx'], { cwd: root, encoding: 'utf8' })
if (materials.status !== 0) fail(`npm sbom failed:\n${materials.stderr}`)
for (const file of [join(folder, 'sbom.cdx.json'), join(out, `${name}.sbom.cdx.json`)])
  writeFileSync(file, materials.stdout)

const files = filesOf(folder)
const sums = files.map((file) => `${digestOf(file)}  ${relative(folder, file)}\n`)
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6
if (megabytes > maxMegabytes) fail(`The release has ${megabytes.toFixed(0)} MB; at most ${maxMegabytes} are allowed.`)

const archive = join(out, `${name}.tar.gz`)
const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', '--sort=name']
const { status } = spawnSync('tar', ['-czf', archive, ...owner, '-C', out, name], { stdio: 'inherit' })
if (status !== 0) fail('tar could not make the archive.')
writeFileSync(`${archive}.sha256`, `${digestOf(archive)}  ${name}.tar.gz\n`)
rmSync(folder, { recursive: true })
const packed = statSync(archive).size / 1e6
say(
  `${relative(root, archive)}: ${packed.toFixed(0)} MB, ${megabytes.toFixed(0)} MB unpacked, ${packages.size} packages.`,
)

/** Sentences name the command as it is called in a release. */
function nameCommands(folder) {
  for (const file of filesOf(folder)) {
    if (!file.endsWith('.js')) continue
    const text = readFileSync(file, 'utf8')
    if (!text.includes('npm run daybook -- ')) continue
    const named = text.replaceAll('npm run daybook -- ', 'node daybook.mjs ')
    writeFileSync(file, named)
    if (existsSync(`${file}.br`)) writeFileSync(`${file}.br`, brotliCompressSync(named))
  }
}

/** The folders, as the lock names them, of all packages that files of a folder import, and of what these need. */
function packagesOf(folder) {
  const found = new Set()
  const imports = /\b(?:from|import|import\(|\.resolve\()\s*["'`]([^"'`$./][^"'`$]*)/g
  for (const file of filesOf(folder)) {
    if (!file.endsWith('.js')) continue
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(imports)) {
      const [scope, rest] = specifier.split('/')
      const name = specifier.startsWith('@') ? `${scope}/${rest}` : scope
      if (isBuiltin(specifier) || ofBrowsers.has(name)) continue
      if (existsSync(join(root, 'node_modules', name))) add(`node_modules/${name}`)
    }
  }
  return found

  function add(path) {
    if (found.has(path)) return
    found.add(path)
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = locked[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const needed = placeOf(name, path)
      if (needed !== undefined && !locked[needed]?.dev) add(needed)
    }
  }
}

/** Where a package finds another one. @returns undefined where it is not installed, as for other platforms */
function placeOf(name, from) {
  for (let at = from; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name)
    if (existsSync(join(root, candidate))) return candidate
    if (at === '.') return undefined
  }
}

/** Without what no program reads, and without the packages inside it, which are copied by themselves. */
function copyPackage(path) {
  const from = join(root, path)
  cpSync(from, join(folder, path), {
    recursive: true,
    filter: (file) =>
      !/^(?:node_modules|tests?)(?:\/|$)/.test(relative(from, file)) &&
      !ofCommonJs.test(file) &&
      (!/\.([cm]?ts|flow|html|map|md)$|\.min\.js$|\/(umd|iife|amd)\/|\/react-dom-(client|profiling)\./.test(file) ||
        /licen[cs]e|notice/i.test(basename(file))),
  })
}

function notice() {
  const production = Object.entries(locked)
    .filter(([path, { dev, optional }]) => path !== '' && !dev && (!optional || existsSync(join(root, path))))
    .filter(([path]) => existsSync(join(root, path, 'package.json')))
  const texts = new Map()
  for (const [path, { version, license }] of production) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const file = readdirSync(join(root, path)).find((each) => /^licen[cs]e/i.test(each))
    const text = file === undefined ? '' : readFileSync(join(root, path, file), 'utf8').trim()
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`])
  }
  const sections = [...texts].map(
    ([text, names]) => `${names.join('\n')}\n\n${text === '' ? 'Its package holds no text of its licence.' : text}\n`,
  )
  return `Daybook ${version}
${license}; the text is in LICENSE.

The holidays of the package date-holidays are data from Wikipedia, under CC BY-SA 3.0
(https://creativecommons.org/licenses/by-sa/3.0/); see node_modules/date-holidays/LICENSE.
The works of the demo are in the public domain or openly licensed; each row of demo/catalogue.csv gives its source and licence.

Daybook is made with these packages. Some lie in node_modules, some are part of build/client.

${sections.join(`\n${'-'.repeat(78)}\n\n`)}`
}

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function digestOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
