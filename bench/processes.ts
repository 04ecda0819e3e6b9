import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { openApp } from '../src/app/open-app.ts'
import { readConfig } from '../src/app/config.ts'
import { openLog } from '../src/platform/log.ts'
import type { BareAnswers } from './bare-server.ts'
import { clientKey } from './load.ts'

const prepare = pathToFileURL(join(import.meta.dirname, '../scripts/prepare.mjs')).href
const { frugal } = (await import(prepare)) as { frugal: Record<string, string> }

/** Serves, or is a command. */
export const daybookProgram = join(import.meta.dirname, '../build/server/daybook.js')

export interface Served {
  port: number
  pid: number
  /** Milliseconds from the start of the process to its first listing. */
  startMs: number
  stop(): Promise<void>
}

/** The data directory of the servers of a database: they find the image that the one before has left. */
export function dataDirOf(env: Record<string, string>): string {
  return join(tmpdir(), 'daybook-bench-data', new URL(env['DATABASE_URL'] ?? 'bench:').pathname)
}

/** Makes the images of a catalogue, with which the next servers begin: one each. */
export async function makeImages(env: Record<string, string>, servers: number): Promise<void> {
  const config = readConfig({ DATA_DIR: dataDirOf(env), DEMO: '0', ...env })
  const opened = []
  for (let i = 0; i < servers; i += 1) {
    const one = await openApp(config, openLog('warn'), { hasClockwork: false })
    await one.app.listing.whenFilled()
    opened.push(one)
  }
  for (const { close } of opened) await close()
}

/** Starts Daybook as a process of its own, as an operator would, and waits until it gives a listing. */
export async function startDaybook(env: Record<string, string>, program = daybookProgram): Promise<Served> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      ...frugal,
      DATA_DIR: dataDirOf(env),
      NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled'),
      HOST: '127.0.0.1',
      PORT: String(port),
      NODE_ENV: 'production',
      DEMO: '0',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await isListing(port))) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`)
    await sleep(5)
  }
  return { port, pid: child.pid as number, startMs: performance.now() - startedAt, stop: () => end(child) }
}

/** A command that has ended. */
export interface EndedCommand {
  ms: number
  /** The most memory that it held, in bytes. */
  peak: number
}

/**
 * Runs a command of the built program as an operator does.
 * @param mayEndWith the exit codes that are no failure
 */
export async function runCommand(
  words: string[],
  env: Record<string, string>,
  mayEndWith: readonly number[] = [0],
): Promise<EndedCommand> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [daybookProgram, ...words], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  let peak = 0
  const looking = setInterval(() => {
    peak = peakOf(child.pid as number) ?? peak
  }, 50)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(looking)
  if (code === null || !mayEndWith.includes(code)) throw new Error(`${words.join(' ')} ended with ${code}:\n${said}`)
  return { ms: performance.now() - startedAt, peak }
}

/** The most memory that a process has held so far, in bytes; undefined where it has ended. */
function peakOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024
  } catch {
    return undefined
  }
}

/** Starts the bare contender with these answers. */
export async function startBare(answers: BareAnswers): Promise<Served> {
  const startedAt = performance.now()
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), { serialization: 'advanced' })
  child.send(answers)
  const [port] = (await once(child, 'message')) as [number]
  return { port, pid: child.pid as number, startMs: performance.now() - startedAt, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const timeout = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await exit
  clearTimeout(timeout)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

async function isListing(port: number): Promise<boolean> {
  try {
    return (await ask(port, '/universal-search/search?limit=300', clientKey)).status === 200
  } catch {
    return false
  }
}

export interface Requested {
  status: number
  /** Names and values in turn, without those that the server itself adds. */
  headers: string[]
  header: (name: string) => string | undefined
  body: Buffer
  /** Milliseconds until the first byte of the answer. */
  firstByteMs: number
}

const ownHeaders = new Set(['date', 'connection', 'keep-alive'])

/** One question, its whole answer. */
export function ask(port: number, path: string, headers: Record<string, string> = {}): Promise<Requested> {
  return new Promise((resolve, reject) => {
    const requestedAt = performance.now()
    get({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
      const firstByteMs = performance.now() - requestedAt
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const kept: string[] = []
        for (let i = 0; i < response.rawHeaders.length; i += 2) {
          const [name, value] = response.rawHeaders.slice(i, i + 2) as [string, string]
          if (!ownHeaders.has(name.toLowerCase())) kept.push(name, value)
        }
        resolve({
          status: response.statusCode ?? 0,
          headers: kept,
          header: (name) => response.headers[name]?.toString(),
          body: Buffer.concat(chunks),
          firstByteMs,
        })
      })
    }).on('error', reject)
  })
}

/** Makes a bare contender of what a server answers to these addresses. */
export async function copyAnswers(
  port: number,
  paths: string[],
  headers: Record<string, string>,
): Promise<BareAnswers> {
  const answers: BareAnswers = new Map()
  for (const path of paths) {
    const answer = await ask(port, path, headers)
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${answer.body.toString()}`)
    answers.set(path, { headers: answer.headers, body: answer.body })
  }
  return answers
}

/** Memory that a process holds, in megabytes. */
export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Processor time that a process has used so far, in milliseconds. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // The kernel counts in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10
}
