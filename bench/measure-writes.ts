import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { decodePayload } from '../src/features/catalogue/encoding.ts'
import { type Finding, ms, perSecond } from './findings.ts'
import { copyPostgres } from './generate-catalogue.ts'
import { clientKey, compressed, load, quantile, request } from './load.ts'
import { ask, startDaybook } from './processes.ts'
import { mixOfQuestions, pathOf } from './questions.ts'

/** A published item gets another name, with the clearance that its new version needs. */
const edit = `
  with edited as (
    update items set name = $2, version = version + 1, cleared_version = version + 1, updated_at = now()
     where no = $1 returning id, version, fingerprint)
  insert into clearances (item_id, version, fingerprint, checks, cleared_by)
  select id, version, fingerprint, '["bench"]', 'bench' from edited`

const editsPerSecond = 50

/** P13: edits beside reads, and how soon another instance shows them. */
export async function measureWrites(seconds: number): Promise<Finding[]> {
  const { address, drop } = await copyPostgres('100k')
  const reader = await startDaybook({ DATABASE_URL: address })
  const other = await startDaybook({ DATABASE_URL: address })
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const over = new AbortController()
  try {
    const { rows } = await client.query<{ no: number; name: string }>(
      `select no, name from items where content_type = 'asian' and post_date < now() order by post_date desc, created_at desc, no desc limit 2000`,
    )
    const requests = mixOfQuestions().map((question) => request(pathOf(question), { ...clientKey, ...compressed }))
    await load(reader.port, requests, { count: 2 * requests.length })
    const quiet = await load(reader.port, requests, { seconds })
    let edits = 0
    const startedAt = performance.now()
    const writing = (async () => {
      while (!over.signal.aborted) {
        const item = rows[(edits * 7) % rows.length] as { no: number; name: string }
        await client.query(edit, [item.no, `${item.name.slice(0, 280)} ${edits}`])
        edits += 1
        const ahead = startedAt + (edits * 1000) / editsPerSecond - performance.now()
        if (ahead > 0) await sleep(ahead)
      }
    })()
    const busy = await load(reader.port, requests, { seconds })
    over.abort()
    await writing
    const rate = edits / ((performance.now() - startedAt) / 1000)

    const delays: number[] = []
    const newest = rows[0] as { no: number }
    for (let i = 0; i < 20; i += 1) {
      const name = `Edited at once ${i}`
      await client.query(edit, [newest.no, name])
      const committedAt = performance.now()
      while (!(await firstNames(other.port)).includes(name)) {
        if (performance.now() - committedAt > 5_000) break
        await sleep(2)
      }
      delays.push(performance.now() - committedAt)
    }
    return [
      {
        id: 'P13',
        what: `Mix of 338 questions while items are edited (${rate.toFixed(0)} edits/s)`,
        goal: 'p99 under 25 ms',
        measured: `p99 ${ms(busy.p99)} (quiet ${ms(quiet.p99)}); ${perSecond(busy.perSecond)} (quiet ${perSecond(quiet.perSecond)})`,
        isMet: busy.p99 < 25 && rate > 0.9 * editsPerSecond,
      },
      {
        id: 'P13',
        what: 'An edit shows on another instance, longest of 20',
        goal: 'within 1 s',
        measured: `${ms(quantile(delays, 1))} (median ${ms(quantile(delays, 0.5))})`,
        isMet: Math.max(...delays) < 1_000,
      },
    ]
  } finally {
    over.abort()
    await client.end()
    await reader.stop()
    await other.stop()
    await drop()
  }
}

async function firstNames(port: number): Promise<string[]> {
  const { body } = await ask(port, pathOf({ contentType: 'asian', limit: '10' }), clientKey)
  const { data } = JSON.parse(body.toString()) as { data: string }
  return (decodePayload(data) as { data: { name: string }[] }).data.map((item) => item.name)
}
