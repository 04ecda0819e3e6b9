import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '../../src/app/config.ts'
import { openApp } from '../../src/app/open-app.ts'
import { accountMails } from '../../src/features/accounts/account-mails.ts'
import { openLog } from '../../src/platform/log.ts'
import { aMember } from '../harness/members.ts'
import { openPostOffice, type PostOffice } from '../harness/post-office.ts'
import { addressOf, kill, type Started, startDaybook } from '../harness/processes.ts'
import { sendRequest } from '../harness/request.ts'

/** How long the mail server is away. */
const awayMs = 2_000

/** The outcome of the proof (docs/spec/email.md#proof). */
export interface MailProof {
  letters: number
  /** How many arrived at least once, and how many more than once. */
  arrived: number
  twice: number
  /** The most arrivals of one letter. */
  most: number
  /** Letters whose arrivals have different Message-IDs. */
  otherIds: number
  /** A link to set a password that was asked for while letters waited: how many of these came before it, and how long it took. */
  resetBehind: number
  resetSeconds: number
  /** How many letters waited when it was asked for. */
  waiting: number
}

/**
 * Has a site of its own send so many letters to a mail server of this machine, which goes away and comes back; the site is
 * killed twice meanwhile.
 */
export async function proveMail(letters: number): Promise<MailProof> {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-mail-'))
  const office = await openPostOffice()
  let site: Started | undefined
  try {
    await queueLetters(dataDir, letters)
    const start = async (): Promise<string> => {
      site = startDaybook([], {
        NODE_ENV: 'production',
        ...environment(dataDir),
        SMTP_URL: office.url,
      })
      return addressOf(site)
    }
    const reaches = (count: number) => until(office, () => lettersOf(office).size >= count || undefined)
    const killAfter = async (share: number): Promise<void> => {
      await reaches(letters * share)
      if (site !== undefined) await kill(site)
    }
    await start()
    await reaches(letters * 0.1)
    office.isAway = true
    office.hangUp()
    await wait(awayMs)
    office.isAway = false
    await killAfter(0.3)
    await start()
    await killAfter(0.5)
    const address = await start()
    await reaches(letters * 0.6)
    const waiting = letters - lettersOf(office).size
    const before = office.taken.length
    const askedAt = performance.now()
    const { status } = await sendRequest(`${address}/forgot-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': 'daybook-web' },
      body: JSON.stringify({ email: readerAddress }),
    })
    if (status !== 200) throw new Error(`The link was refused with ${status}.`)
    const reset = await until(office, () => office.taken.find(({ to: [to] }) => to === readerAddress))
    await reaches(letters)
    const arrivals = [...lettersOf(office).values()]
    return {
      letters,
      arrived: arrivals.length,
      twice: arrivals.filter((ids) => ids.length > 1).length,
      most: Math.max(...arrivals.map((ids) => ids.length)),
      otherIds: arrivals.filter((ids) => new Set(ids).size > 1).length,
      resetBehind: office.taken.indexOf(reset) - before,
      resetSeconds: (reset.at - askedAt) / 1_000,
      waiting,
    }
  } finally {
    if (site !== undefined) await kill(site)
    await office.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const readerAddress = 'jane@readers.example'

const environment = (dataDir: string) => ({
  DEMO: '0',
  PORT: '0',
  DATA_DIR: dataDir,
  EMBEDDED_SYNC: 'off',
  PAYMENTS: 'off',
})

async function queueLetters(dataDir: string, letters: number): Promise<void> {
  const log = openLog('error', { write: () => true })
  const { app, close } = await openApp(readConfig({ ...environment(dataDir), LOG_LEVEL: 'error' }), log, {
    hasClockwork: false,
  })
  try {
    await aMember(app, { email: readerAddress })
    const data = Array.from({ length: letters }, (_, at) => ({
      email: `letter-${at}@readers.example`,
      name: 'Jane Reader',
      areBansKept: false,
    }))
    await app.mail.queueMany(app.db, accountMails.deleted, data)
  } finally {
    await close()
  }
}

/** The Message-IDs under which each letter arrived. */
function lettersOf(office: PostOffice): Map<string, string[]> {
  const letters = Map.groupBy(office.taken, ({ to: [to = ''] }) => to)
  letters.delete(readerAddress)
  return new Map(
    [...letters].map(([to, taken]) => [to, taken.map(({ email }) => email.headers.get('message-id') ?? '')]),
  )
}

async function until<T>(office: PostOffice, read: () => T | undefined): Promise<T> {
  const end = performance.now() + 30 * 60_000
  while (performance.now() < end) {
    const found = read()
    if (found !== undefined) return found
    await wait(20)
  }
  throw new Error(`${lettersOf(office).size} letters arrived, and no more.`)
}

if (import.meta.main) {
  const letters = Number(process.argv[2] ?? 10_000)
  const began = performance.now()
  const proof = await proveMail(letters)
  process.stdout.write(
    `${JSON.stringify({ ...proof, seconds: Math.round((performance.now() - began) / 1_000) }, null, 2)}\n`,
  )
  const holds = proof.arrived === letters && proof.most <= 2 && proof.otherIds === 0 && proof.resetSeconds < 5
  process.exitCode = holds ? 0 : 1
}
