import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Finding, ms, times } from './findings.ts'
import type { FloodKind, FloodOrder, FloodTold } from './flood-client.ts'
import { copyPostgres } from './generate-catalogue.ts'
import { median, quantile } from './load.ts'
import { makeMembers, password } from './measure-sign-ins.ts'
import { startDaybook } from './processes.ts'

const floods: FloodKind[] = ['sign-ins', 'pipelined addresses', 'wrong passwords', 'forgotten passwords']

/** The limits of right passwords leave a device 20 in a quarter of an hour. */
const maxSignIns = 16
const home = '203.0.113.99'

interface Honest {
  signIns: number[]
  keptPages: number[]
  newPages: number[]
  /** Answers that were no success. */
  failures: number
}

/**
 * P21: a member on a device that is known signs in and reads, a page that is kept and pages that nobody has asked for,
 * while others flood the site. Everything is on one machine: the flood takes processor time from the server as well.
 */
export async function measureFloods(seconds: number): Promise<Finding[]> {
  const { address, drop } = await copyPostgres('100k')
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-bench-floods-'))
  // The answers report the flood's effect.
  const env = { DATABASE_URL: address, DATA_DIR: dataDir, LOG_LEVEL: 'silent', TRUSTED_PROXIES: '127.0.0.1/32' }
  const served = await startDaybook(env)
  try {
    const [quietOne = '', ...members] = await makeMembers(address, floods.length + 1 + 20)
    const accounts = members.splice(floods.length)
    const [machineLoad = 0] = loadavg()
    const quiet = await behave(served.port, quietOne, seconds)
    const findings = [quietFinding(quiet, machineLoad)]
    for (const [i, kind] of floods.entries()) {
      const email = members[i] as string
      const cookie = await becomeKnown(served.port, email)
      const flood = await beginFlood({ kind, port: served.port, email, accounts, password })
      // It is under way, and has used up what it can.
      await sleep(1_000)
      const honest = await behave(served.port, email, seconds, cookie)
      findings.push(findingOf(kind, honest, quiet, await flood.stop()))
      // Time for the queues to empty.
      await sleep(4_000)
    }
    return findings
  } finally {
    await served.stop()
    await drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The base of the ratios. The machine's own load, by other programs, is in all of the times. */
function quietFinding(quiet: Honest, machineLoad: number): Finding {
  const told = (values: number[]): string => `p50 ${ms(median(values))}, p95 ${ms(quantile(values, 0.95))}`
  return {
    id: 'P21',
    what: 'The same member without a flood, 100,000 items',
    goal: '',
    measured: `sign-in ${told(quiet.signIns)}; kept page ${told(quiet.keptPages)}; new page ${told(quiet.newPages)}; load of the machine before it ${machineLoad.toFixed(1)}`,
    isMet: undefined,
  }
}

function findingOf(kind: FloodKind, honest: Honest, quiet: Honest, told: FloodTold): Finding {
  const slowestSignIn = Math.max(...honest.signIns)
  const pages = (name: 'keptPages' | 'newPages'): string => {
    const ratio = median(honest[name]) / median(quiet[name])
    return `p95 ${ms(quantile(honest[name], 0.95))}, slowest ${ms(Math.max(...honest[name]))} (p50 ${ms(median(honest[name]))}, ${times(ratio)} quiet)`
  }
  const signIns = `sign-in ${ms(slowestSignIn)} at most (p50 ${ms(median(honest.signIns))}, ${times(median(honest.signIns) / median(quiet.signIns))} quiet)`
  const answers = Object.entries(told)
    .map(([status, count]) => `${count.toLocaleString('en-US')} of ${status}`)
    .join(', ')
  const failed = honest.failures === 0 ? '' : `; ${honest.failures} of the member's requests failed`
  return {
    id: 'P21',
    what: `A member during a flood of ${kind}, 100,000 items`,
    goal: 'sign-in at most 3 s; kept page and new page at most 100 ms at p95; nothing fails',
    measured: `${signIns}; kept page ${pages('keptPages')}; new page ${pages('newPages')}${failed}. The flood had ${answers}`,
    isMet:
      honest.failures === 0 &&
      slowestSignIn <= 3_000 &&
      quantile(honest.keptPages, 0.95) <= 100 &&
      quantile(honest.newPages, 0.95) <= 100,
  }
}

/** Signs in and reads for so many seconds, as fast as somebody in a hurry. */
async function behave(port: number, email: string, seconds: number, known?: string): Promise<Honest> {
  const cookie = known ?? (await becomeKnown(port, email))
  const honest: Honest = { signIns: [], keptPages: [], newPages: [], failures: 0 }
  await call(port, 'GET', '/asian')
  const endsAt = performance.now() + seconds * 1000
  const again = async (into: number[], everyMs: number, most: number, ask: () => Promise<Answered>): Promise<void> => {
    while (performance.now() < endsAt && into.length < most) {
      const { status, tookMs } = await ask()
      into.push(tookMs)
      if (status !== 200) honest.failures += 1
      await sleep(everyMs)
    }
  }
  await Promise.all([
    again(honest.signIns, 300, maxSignIns, () => signIn(port, email, cookie)),
    again(honest.keptPages, 20, Infinity, () => call(port, 'GET', '/asian')),
    again(honest.newPages, 50, Infinity, () => call(port, 'GET', `/asian?search=honest%20${(asked += 1)}`)),
  ])
  return honest
}

let asked = 0

/** @returns the cookie that the browser holds from then on */
async function becomeKnown(port: number, email: string): Promise<string> {
  const { status, cookie } = await signIn(port, email)
  if (status !== 200 || cookie === undefined) throw new Error(`Signing in answered ${status}.`)
  return cookie
}

function signIn(port: number, email: string, cookie?: string): Promise<Answered> {
  return call(port, 'POST', '/auth/login', {
    body: JSON.stringify({ email, password }),
    headers: { 'content-type': 'application/json', ...(cookie === undefined ? {} : { cookie }) },
  })
}

interface Answered {
  status: number
  /** Until the last byte, with the opening of the connection. */
  tookMs: number
  cookie: string | undefined
}

function call(
  port: number,
  method: string,
  path: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const all = {
      ...headers,
      'x-forwarded-for': home,
      ...(body === undefined ? {} : { 'content-length': body.length }),
    }
    const sent = request({ port, host: '127.0.0.1', method, path, headers: all, agent: false }, (answer) => {
      answer.resume().on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          tookMs: performance.now() - startedAt,
          cookie: answer.headers['set-cookie']?.[0]?.split(';')[0],
        }),
      )
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function beginFlood(order: FloodOrder): Promise<{ stop(): Promise<FloodTold> }> {
  const child = fork(join(import.meta.dirname, 'flood-client.ts'))
  child.send(order)
  await once(child, 'spawn')
  return {
    async stop() {
      const told = once(child, 'message')
      child.send('stop')
      const [answers] = (await told) as [FloodTold]
      return answers
    },
  }
}
