import pg from 'pg'
import { Passwords } from '../src/features/accounts/passwords.server.ts'
import { type Finding, ms, perSecond, times } from './findings.ts'
import { copyPostgres } from './generate-catalogue.ts'
import { clientKey, compressed, load, median, post, request } from './load.ts'
import { startDaybook } from './processes.ts'
import { mixOfQuestions, pathOf } from './questions.ts'

const memberCount = 500
const password = 'a quiet reading room'
const stormConnections = 32

/**
 * P11: how many sign-ins a second, each with a right password, and what a storm of them does to the listings. The right
 * one, because wrong ones are soon refused by the limits, which costs nothing.
 */
export async function measureSignIns(seconds: number, rounds: number): Promise<Finding[]> {
  const { address, drop } = await copyPostgres('100k')
  const served = await startDaybook({ DATABASE_URL: address, LOG_LEVEL: 'error' })
  try {
    const emails = await makeMembers(address)
    const signIns = emails.map((email) => post('/auth/login', { email, password }))
    const questions = mixOfQuestions().map((question) => request(pathOf(question), { ...clientKey, ...compressed }))
    await load(served.port, questions, { count: 2 * questions.length })
    await load(served.port, signIns, { count: 32, connections: stormConnections })

    const alone: number[] = []
    const quiet: number[] = []
    const stormy: number[] = []
    const beside: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const storm = await load(served.port, signIns, { seconds, connections: stormConnections })
      if (storm.failures > 0) throw new Error(`${storm.failures} sign-ins failed.`)
      alone.push(storm.perSecond)
      quiet.push((await load(served.port, questions, { seconds })).p99)
      const [listings, signingIn] = await Promise.all([
        load(served.port, questions, { seconds }),
        load(served.port, signIns, { seconds, connections: stormConnections }),
      ])
      if (listings.failures + signingIn.failures > 0) throw new Error('Answers failed during the storm.')
      stormy.push(listings.p99)
      beside.push(signingIn.perSecond)
    }
    const ratio = median(stormy) / median(quiet)
    return [
      {
        id: 'P11',
        what: `Sign-ins over HTTP, each one argon2id (19 MiB, t=2), ${stormConnections} connections`,
        goal: 'at least 150/s',
        measured: perSecond(median(alone)),
        isMet: median(alone) >= 150,
      },
      {
        id: 'P11',
        what: 'Mix of 338 questions during a storm of sign-ins, p99 against quiet',
        goal: 'at most 3 times',
        measured: `${times(ratio)} (${ms(median(stormy))}, quiet ${ms(median(quiet))}; ${perSecond(median(beside))} sign-ins beside)`,
        isMet: ratio <= 3,
      },
    ]
  } finally {
    await served.stop()
    await drop()
  }
}

async function makeMembers(address: string): Promise<string[]> {
  const hash = await (await Passwords.open()).hash(password)
  const emails = Array.from({ length: memberCount }, (_, i) => `member-${i}@readers.example`)
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    await client.query(
      `insert into users (id, email, email_folded, name, password_hash, password_changed_at, created_at)
       select gen_random_uuid(), email, email, 'A member', $2, now(), now() from unnest($1::text[]) as email`,
      [emails, hash],
    )
  } finally {
    await client.end()
  }
  return emails
}
