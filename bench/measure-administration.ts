import pg from 'pg'
import { sql } from 'kysely'
import { CompiledQuery } from 'kysely'
import { openDatabase } from '../src/db/open.ts'
import { contentCalls, peopleCalls, siteCalls } from './administration-calls.ts'
import { fillAdministration, type RunSql } from './administration-data.ts'
import { findingOf, type MeasuredCall, measureCalls, tableOf } from './calls.ts'
import { type Finding, ms, times } from './findings.ts'
import { copyPostgres, prepareEmbedded } from './generate-catalogue.ts'
import { makeImages, startDaybook } from './processes.ts'

const members = 100_000
const what = '100,000 items and members'

/** P16 to P18: every call of the administrators' screens, beside the same rows by raw SQL, on PostgreSQL. */
export async function measureAdministration(rounds: number): Promise<{ findings: Finding[]; table: string }> {
  const { address, drop } = await copyPostgres('100k')
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const token = await fillAdministration((text, values) => client.query(text, values), members)
    // Else the server fills its image while the first calls are measured.
    await makeImages({ DATABASE_URL: address }, 1)
    const served = await startDaybook({ DATABASE_URL: address })
    try {
      const runSql = async (text: string): Promise<unknown[]> => (await client.query(text)).rows as unknown[]
      const measured = await measureAll((text) => client.query(text), { port: served.port, token, runSql }, rounds)
      const [first] = measured.content
      const ratio = first?.rawMedian === undefined ? Number.NaN : first.median / first.rawMedian
      return {
        findings: [
          {
            id: 'P16',
            what: "Administrators' list of 900, 100,000 items",
            goal: 'at most 2 times its raw SQL',
            measured: `${times(ratio)} (${ms(first?.median ?? 0)}, raw SQL as JSON ${ms(first?.rawMedian ?? 0)})`,
            isMet: ratio <= 2,
          },
          findingOf('P16', `Administrators' list of items, ${what}`, measured.content, 100),
          findingOf('P17', `Administrators' lists of members, ${what}`, measured.people, 100),
          findingOf('P18', `The other screens of the administration, ${what}`, measured.site, 100),
        ],
        table: tableOf([...measured.content, ...measured.people, ...measured.site]),
      }
    } finally {
      await served.stop()
    }
  } finally {
    await client.end()
    await drop()
  }
}

/** The same calls with the embedded database, which has no goal of its own. */
export async function measureEmbeddedAdministration(rounds: number): Promise<{ findings: Finding[]; table: string }> {
  const { dataDir, drop } = await prepareEmbedded()
  try {
    const { db, close } = await openDatabase({ databaseUrl: undefined, dataDir })
    const run: RunSql = (text, values = []) =>
      db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values)).then(({ rows }) => ({ rows }))
    let token: string
    let subjects: Subjects
    try {
      token = await fillAdministration(run, members)
      subjects = await subjectsOf(run)
      await sql`checkpoint`.execute(db)
    } finally {
      await close()
    }
    const served = await startDaybook({ DATA_DIR: dataDir })
    try {
      const { content, people, site } = await measureAll(subjects, { port: served.port, token }, rounds)
      const all = [...content, ...people, ...site]
      return {
        findings: [findingOf('P18', `The same with the embedded database, ${what}`, all, undefined)],
        table: tableOf(all),
      }
    } finally {
      await served.stop()
    }
  } finally {
    await drop()
  }
}

interface Subjects {
  memberId: string
  itemId: string
}

async function subjectsOf(run: RunSql): Promise<Subjects> {
  const { rows } = await run(`
    select (select id from users where email = 'reader500@readers.example') as "memberId",
           (select id from items order by no limit 1) as "itemId"`)
  return rows[0] as unknown as Subjects
}

async function measureAll(
  known: Subjects | RunSql,
  site: Parameters<typeof measureCalls>[1],
  rounds: number,
): Promise<Record<'content' | 'people' | 'site', MeasuredCall[]>> {
  const subjects = typeof known === 'function' ? await subjectsOf(known) : known
  return {
    content: await measureCalls(contentCalls, site, rounds),
    people: await measureCalls(peopleCalls, site, rounds),
    site: await measureCalls(siteCalls(subjects), site, rounds),
  }
}
