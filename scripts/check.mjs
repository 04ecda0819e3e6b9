/** The quick gate: everything that needs neither a browser nor a running server. `--static` leaves the tests out. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, environment, pinnedNode, root } from './prepare.mjs'
import { scratchInMemory } from './scratch.mjs'

const steps = [
  ['format', ['oxfmt', '--check', '.']],
  // One reading of the types serves the rules and the errors of the compiler.
  [
    'lint and types',
    ['oxlint', '--type-aware', '--type-check', '--deny-warnings', '--report-unused-disable-directives'],
  ],
  [
    'import law',
    ['depcruise', 'src', 'tests', 'bench', 'sandbox', '--config', '.dependency-cruiser.mjs', '--output-type', 'err'],
  ],
  ['unused code', ['knip']],
  ['checksums', ['scripts/complete-lock.mjs', '--check']],
]
if (!process.argv.includes('--static'))
  steps.push(['tests', ['vitest', 'run', '--project', 'unit', '--reporter', 'dot']])

await ensureInstalled()
const env = environment({ NODE_ENV: 'test', FORCE_COLOR: process.stderr.isTTY ? '1' : '0', ...scratchInMemory() })
const tool = (name) => (name.endsWith('.mjs') ? join(root, name) : join(root, 'node_modules', '.bin', name))

function run([title, [name, ...args]]) {
  const began = Date.now()
  const child = spawn(pinnedNode, [tool(name), ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  child.stderr.on('data', (data) => (output += data))
  return new Promise((ended) => {
    child.on('close', (code) => {
      const passed = code === 0
      console.log(`${passed ? 'ok  ' : 'FAIL'} ${title} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
      if (!passed) console.log(output)
      ended(passed)
    })
  })
}

// Lint and types read the types of the routes, which are generated.
const results = [await run(['route types', ['react-router', 'typegen']])]

// Two at a time: the machines this runs on have two cores.
const waiting = [...steps]
async function work() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) results.push(await run(step))
}
await Promise.all([work(), work()])

const passed = results.filter(Boolean).length
console.log(`${passed} passed, ${results.length - passed} failed`)
process.exitCode = passed === results.length ? 0 : 1
