import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../cluster/cluster.ts'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'
import { addressOf, kill, type Started, startProcess } from '../harness/processes.ts'
import { anAddress } from '../harness/purchases.ts'

/*
 * Three instances on one PostgreSQL and one Redis behind nginx (docs/operating.md#several-instances): started at once on an
 * empty database they make one administrator, and none of the requests fails while each is restarted in turn.
 */

const instanceCount = 3
const rounds = 2

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: 'postgresql://postgres@127.0.0.1:5432/postgres' },
    redis: { type: 'string', default: 'redis://127.0.0.1:6379/9' },
  },
})
const serverUrl = options.server
const database = `daybook_instances_${process.pid}`
const folder = await mkdtemp(join(tmpdir(), 'daybook-instances-'))
// nginx gives its rights up and then reads its files as another account.
await chmod(folder, 0o755)
const front = await freePort()
const ports = await Promise.all(Array.from({ length: instanceCount }, freePort))
const instances = new Map<number, Started>()
await onServer(serverUrl, `create database ${database}`)
await writeFile(join(folder, 'nginx.conf'), await frontConfig())
const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], { stdio: 'ignore' })
try {
  await Promise.all(ports.map(start))
  const administrators = await onServer(databaseUrl(serverUrl, database), `select email from users where is_admin`)
  const answers = { done: 0, failed: [] as string[] }
  const stopping = new AbortController()
  const callers = Array.from({ length: 8 }, (_, at) => callOn(at, answers, stopping.signal))
  for (let round = 0; round < rounds; round += 1) {
    for (const port of ports) {
      await wait(2_000)
      await restart(port)
    }
  }
  await wait(2_000)
  stopping.abort()
  await Promise.all(callers)
  const members = await onServer(databaseUrl(serverUrl, database), `select 1 from users where not is_admin`)
  const outcome = {
    instances: instanceCount,
    administrators: administrators.length,
    restarts: rounds * instanceCount,
    requests: answers.done,
    failed: answers.failed,
    signedUp: members.length,
  }
  process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`)
  process.exitCode = administrators.length === 1 && answers.failed.length === 0 && answers.done > 1_000 ? 0 : 1
} finally {
  nginx.kill()
  await Promise.all([...instances.values()].map(kill))
  await onServer(serverUrl, `drop database ${database} with (force)`)
  await rm(folder, { recursive: true, force: true })
}

async function start(port: number): Promise<void> {
  const started = startProcess(['build/server/daybook.js'], {
    NODE_ENV: 'production',
    DEMO: '0',
    PAYMENTS: 'off',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${front}`,
    DATA_DIR: join(folder, `data-${port}`),
    DATABASE_URL: databaseUrl(serverUrl, database),
    REDIS_URL: options.redis,
    TRUSTED_PROXIES: '127.0.0.1/32',
    ADMIN_EMAIL: 'desk@library.example',
    ADMIN_PASSWORD: 'a quiet reading room',
    LINK_CHECKS: 'off',
    LOG_LEVEL: 'warn',
  })
  instances.set(port, started)
  await addressOf(started)
}

async function restart(port: number): Promise<void> {
  const running = instances.get(port)
  running?.child.kill('SIGTERM')
  await running?.ended
  await start(port)
}

/** Reads and signs up by nginx, one request after the other, until it is told to stop. */
async function callOn(caller: number, answers: { done: number; failed: string[] }, stop: AbortSignal): Promise<void> {
  for (let count = 0; !stop.aborted; count += 1) {
    const isSignUp = count % 10 === 9
    const path = isSignUp
      ? '/auth/register'
      : (['/western', '/universal-search/search?search=sea', '/'][count % 3] as string)
    const answer = await fetch(`http://127.0.0.1:${front}${path}`, {
      headers: { 'api-key': 'daybook-web', 'content-type': 'application/json', 'x-caller': anAddress() },
      ...(isSignUp
        ? {
            method: 'POST',
            body: JSON.stringify({
              name: 'Jane Reader',
              email: `reader-${caller}-${count}@readers.example`,
              password: 'a quiet reading room',
            }),
          }
        : {}),
    })
      .then(async (response) => {
        await response.arrayBuffer()
        return response.status
      })
      .catch((error: Error) => error.message)
    answers.done += 1
    if (typeof answer === 'string' || answer >= 500) answers.failed.push(`${path}: ${answer}`)
    await wait(10)
  }
}

/** The upstream and the location of `deploy/nginx.conf`, without https. */
async function frontConfig(): Promise<string> {
  const delivered = await readFile(resolve(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8')
  const location = /^ {2}location \/ \{$[^]*?^ {2}\}$/m.exec(delivered)?.[0]
  if (location === undefined) throw new Error('deploy/nginx.conf has no location.')
  return `worker_processes 1;
error_log ${folder}/error.log;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream daybook {
${ports.map((port) => `    server 127.0.0.1:${port};`).join('\n')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${front};
${location.replace('$proxy_add_x_forwarded_for', '$http_x_caller')}
  }
}
`
}
