/**
 * `npm run dev`: the site with pages that change while they are open. The server runs in a child process, which starts
 * again when a file changes that it has loaded; all other files are Vite's, which tells open pages of them.
 */
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { relative, join, sep } from 'node:path'
import { ensureInstalled, environment, pinnedNode, root, say } from './prepare.mjs'

/** Editors write a file in several steps. */
const settleMs = 100
/** Read by the child as well, but not as modules. */
const settings = new Set([
  'package-lock.json',
  'package.json',
  'react-router.config.ts',
  'tsconfig.json',
  'vite.config.ts',
])

let child
let loaded = new Set()
let isStopping = false
let restarting

function start() {
  loaded = new Set()
  child = spawn(
    pinnedNode,
    ['--enable-source-maps', '--import', './dev/report-modules.mjs', 'dev/main.ts', ...process.argv.slice(2)],
    {
      cwd: root,
      // Pages are made anew for each request.
      env: environment({ NODE_ENV: 'development', ANSWER_CACHE_MB: '0' }),
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    },
  )
  const started = child
  started.on('message', ({ loaded: file }) => loaded.add(file))
  started.on('exit', (code) => {
    if (isStopping || started !== child || restarting !== undefined) return
    child = undefined
    say(`The server has ended${code === 0 ? '' : ` (code ${code})`}. It starts again when a file changes.`)
  })
}

async function restart(file) {
  if (restarting !== undefined || isStopping) return
  restarting = file
  say(`${file} has changed: the server starts again …`)
  await stop('SIGTERM')
  if (isStopping) return
  if (file === 'package-lock.json') await ensureInstalled()
  restarting = undefined
  start()
}

function stop(signal) {
  const running = child
  if (running === undefined || running.exitCode !== null || running.signalCode !== null) return Promise.resolve()
  const ended = new Promise((resolve) => running.once('exit', resolve))
  running.kill(signal)
  return ended
}

/** Whether the server has to start again; a server that has ended does at any change. */
function concernsServer(path) {
  if (/(\.test\.tsx?|\.md|~|\.swp)$/.test(path)) return false
  return child === undefined || settings.has(path) || path.startsWith(`sandbox${sep}`) || loaded.has(join(root, path))
}

const changed = new Set()
let settling
function hear(path) {
  changed.add(path)
  clearTimeout(settling)
  settling = setTimeout(() => {
    const cause = [...changed].find(concernsServer)
    changed.clear()
    if (cause !== undefined) void restart(cause)
  }, settleMs)
}

await ensureInstalled()
for (const folder of ['src', 'dev', 'sandbox'])
  watch(join(root, folder), { recursive: true }, (_event, name) => name !== null && hear(join(folder, name)))
watch(root, (_event, name) => settings.has(name) && hear(relative(root, join(root, name))))

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (isStopping) return
    isStopping = true
    // Ctrl-C in a terminal has reached the child already.
    const isReported = signal === 'SIGINT' && process.stdin.isTTY
    const ended = isReported ? new Promise((resolve) => child?.once('exit', resolve) ?? resolve()) : stop(signal)
    void ended.then(() => process.exit(0))
  })
}
start()
