import pg from 'pg'
import { Passwords } from '../src/features/accounts/passwords/passwords.server.ts'
import { type Finding, ms, percent, perSecond, times } from './findings.ts'
import { copyPostgres } from './generate-catalogue.ts'
import { clientKey, compressed, load, median, post, request } from './load.ts'
import { makeImages, startDaybook } from './processes.ts'
import { mixOfQueries, pathOf } from './questions.ts'

/** Enough for none to come to the end of what one account, or one address, may do. */
const memberCount = 5_000
export const password = 'a quiet reading room'
const stormConnections = 32

/**
 * P11: how many sign-ins a second, each with a right password, and what a storm of them does to the listings. The right
 * one, because wrong ones are soon refused by the limits, which costs nothing.
 */
export async function measureSignIns(seconds: number, rounds: number): Promise<Finding[]> {
  const { address, drop } = await copyPostgres('100k')
  await makeImages({ DATABASE_URL: address }, 1)
  const served = await startDaybook({ DATABASE_URL: address, LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1' })
  try {
    const emails = await makeMembers(address, memberCount)
    const signIns = emails.map((email, i) =>
      post('/auth/login', { email, password }, { 'x-forwarded-for': `10.0.${i >> 8}.${i & 255}` }),
    )
    const queries = mixOfQueries().map((query) => request(pathOf(query), { ...clientKey, ...compressed }))
    await load(served.port, queries, { count: 2 * queries.length })
    await load(served.port, signIns, { count: 32, connections: stormConnections })

    const alone: number[] = []
    const bare: number[] = []
    const quiet: number[] = []
    const stormy: number[] = []
    const beside: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const storm = await load(served.port, signIns, { seconds, connections: stormConnections })
      if (storm.failures > 0) throw new Error(`${storm.failures} sign-ins failed.`)
      alone.push(storm.perSecond)
      bare.push(await hashesPerSecond(seconds))
      quiet.push((await load(served.port, queries, { seconds })).p99)
      const [listings, signingIn] = await Promise.all([
        load(served.port, queries, { seconds }),
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
        goal: "at least 90 % of the bare hash's rate",
        measured: `${percent(median(alone) / median(bare))} (${perSecond(median(alone))}, the hash alone ${perSecond(median(bare))})`,
        isMet: median(alone) / median(bare) >= 0.9,
      },
      {
        id: 'P11',
        what: 'Mix of 338 questions during a storm of sign-ins, p99 against quiet',
        goal: 'at most 2 times',
        measured: `${times(ratio)} (${ms(median(stormy))}, quiet ${ms(median(quiet))}; ${perSecond(median(beside))} sign-ins beside)`,
        isMet: ratio <= 2,
      },
    ]
  } finally {
    await served.stop()
    await drop()
  }
}

/** How often a password can be compared in this process, while the server has nothing to do. */
async function hashesPerSecond(seconds: number): Promise<number> {
  const passwords = await Passwords.open()
  const hash = await passwords.hash(password)
  const startedAt = performance.now()
  let done = 0
  const compare = async (): Promise<void> => {
    while (performance.now() - startedAt < seconds * 1000) {
      await passwords.matches(password, hash)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: stormConnections }, compare))
  return done / ((performance.now() - startedAt) / 1000)
}

/** Members with the password. */
export async function makeMembers(address: string, count: number): Promise<string[]> {
  const hash = await (await Passwords.open()).hash(password)
  const emails = Array.from({ length: count }, (_, i) => `member-${i}@readers.example`)
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
