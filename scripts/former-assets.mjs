/**
 * The files of builds before the current one. A tab that was open during an upgrade goes on with the scripts that it has
 * begun with, and asks for the rest of them when they are needed: they stay for seven days after they were replaced.
 *
 * In a build folder, `client/assets` holds the files of the build, `former/assets` those of builds before, and
 * `former/replaced.json` tells when each of these was replaced.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const keptMs = 7 * 86_400_000

/** Takes along what the build that is replaced now leaves, and what it kept itself of those before. */
export function carryOver({ from, to, now }) {
  const own = new Set(filesIn(join(to, 'client', 'assets')))
  const folder = join(to, 'former', 'assets')
  mkdirSync(folder, { recursive: true })
  const replaced = {}
  const keep = (file, name, at) => {
    // A file may come back with a later build: it is that one's then.
    if (own.has(name) || now - at >= keptMs) return
    copyFileSync(file, join(folder, name))
    replaced[name] = at
  }
  for (const [name, at] of Object.entries(readReplaced(from))) keep(join(from, 'former', 'assets', name), name, at)
  for (const name of filesIn(join(from, 'client', 'assets'))) keep(join(from, 'client', 'assets', name), name, now)
  writeReplaced(to, replaced)
}

/** Deletes what was replaced seven days ago. */
export function deleteFormer(build, now) {
  const replaced = readReplaced(build)
  const gone = Object.keys(replaced).filter((name) => now - replaced[name] >= keptMs)
  if (gone.length === 0) return
  for (const name of gone) {
    rmSync(join(build, 'former', 'assets', name), { force: true })
    delete replaced[name]
  }
  writeReplaced(build, replaced)
}

function filesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** When each file was replaced, in milliseconds since 1970; only what is there. */
function readReplaced(build) {
  const file = join(build, 'former', 'replaced.json')
  if (!existsSync(file)) return {}
  const noted = parsed(readFileSync(file, 'utf8'))
  const present = new Set(filesIn(join(build, 'former', 'assets')))
  return Object.fromEntries(
    Object.entries(noted).flatMap(([name, at]) => (present.has(name) ? [[name, Date.parse(at)]] : [])),
  )
}

/** A power cut may leave an empty note; then nobody knows what stays, and nothing does. */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function writeReplaced(build, replaced) {
  const file = join(build, 'former', 'replaced.json')
  const noted = Object.fromEntries(Object.entries(replaced).map(([name, at]) => [name, new Date(at).toISOString()]))
  // Exchanged whole: a process that ends meanwhile leaves the one or the other.
  writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(noted, undefined, 2)}\n`)
  renameSync(`${file}.${process.pid}`, file)
}
