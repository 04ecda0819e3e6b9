import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { fillAdministration } from './administration-data.ts'
import { timeOf } from './calls.ts'
import { type Finding, ms, times } from './findings.ts'
import { copyPostgres, generateItems } from './generate-catalogue.ts'
import { clientKey, compressed, quantile } from './load.ts'
import { ask, startDaybook } from './processes.ts'
import { mixOfQueries, pathOf } from './questions.ts'

/** Nobody may wait longer than this for the catalogue because of a step of long work. */
const longestWaitMs = 250
const quietMs = 4_000

/** The measurements during some work. */
interface Seen {
  seconds: number
  /** For visitors' lists, each requested 20 ms after the last answer. */
  visitorsP99: number
  /** How long somebody who wants to write to the catalogue waits for their turn. */
  longestWait: number
}

/**
 * P19, the long work of administrators on 100,000 items: how quick it is, how long an edit of somebody else waits for it, and
 * what visitors notice.
 */
export async function measureRuns(importRows: number): Promise<Finding[]> {
  const { address, drop } = await copyPostgres('100k')
  const client = new pg.Client({ connectionString: address })
  const writer = new pg.Client({ connectionString: address })
  await client.connect()
  await writer.connect()
  try {
    const token = await fillAdministration((text, values) => client.query(text, values), 100)
    const served = await startDaybook({ DATABASE_URL: address })
    try {
      const site = new Site(served.port, token)
      const watch = (work: () => Promise<void>): Promise<Seen> => watched(served.port, writer, work)
      const quiet = await watch(() => sleep(quietMs))
      const findings: Finding[] = []
      const note = (what: string, items: number, seen: Seen): void => {
        findings.push({
          id: 'P19',
          what: `${what}, ${items.toLocaleString('en-US')} items`,
          goal: `no edit waits longer than ${longestWaitMs} ms for it`,
          measured:
            `${Math.round(items / seen.seconds).toLocaleString('en-US')} items/s; longest wait ${ms(seen.longestWait)}; ` +
            `visitors' p99 ${ms(seen.visitorsP99)}, ${times(seen.visitorsP99 / quiet.visitorsP99)} quiet`,
          isMet: seen.longestWait <= longestWaitMs,
        })
      }

      const { id } = await site.send('POST', '/api/imports?name=many.csv', csvOf(importRows), 'text/csv')
      const options = { publish: true, createCategories: true }
      note(
        'Check of an import',
        importRows,
        await watch(() => site.run(`/api/imports/${id}`, 'check', 'waiting', options)),
      )
      note('Import', importRows, await watch(() => site.run(`/api/imports/${id}`, 'start', 'done', options)))

      let edit = { id: '', selected: 0 }
      const body = { filter: { contentType: 'asian' }, changes: { shiftDays: 1 } }
      const preview = await watch(async () => {
        edit = (await site.send('POST', '/api/bulk-edits', body)) as typeof edit
        edit = (await site.until(`/api/bulk-edits/${edit.id}`, 'ready')) as typeof edit
      })
      note('Preview of a bulk edit', edit.selected, preview)
      note('Bulk edit', edit.selected, await watch(() => site.run(`/api/bulk-edits/${edit.id}`, 'apply', 'done')))
      note('Its undo', edit.selected, await watch(() => site.run(`/api/bulk-edits/${edit.id}`, 'undo', 'undone')))

      const { rows } = await client.query<{ id: number; name: string; items: number }>(
        `select c.id, c.name, count(*)::int as items from categories c join items i on i.category_id = c.id
          where c.name in ('Film', 'Art') group by c.id order by c.name`,
      )
      const [into, from] = rows
      if (into === undefined || from === undefined) throw new Error('The catalogue has no such categories.')
      const merge = await watch(async () => {
        await site.send('POST', `/api/categories/${from.id}/merge`, { into: into.id })
        while (
          (await site.read<{ categories: { id: number }[] }>('/api/categories')).categories.some(
            (c) => c.id === from.id,
          )
        )
          await sleep(100)
      })
      note('Merge of a category', from.items, merge)
      return findings
    } finally {
      await served.stop()
    }
  } finally {
    await writer.end()
    await client.end()
    await drop()
  }
}

/** The HTTP interface as an administrator uses it. */
class Site {
  readonly #port: number
  readonly #headers: Record<string, string>

  constructor(port: number, token: string) {
    this.#port = port
    this.#headers = { ...clientKey, authorization: `Bearer ${token}` }
  }

  async send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<{ id: string }> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
      method,
      headers: { ...this.#headers, 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }

  async read<T>(path: string): Promise<T> {
    const { status, body } = await ask(this.#port, path, this.#headers)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body.toString()}`)
    return JSON.parse(body.toString()) as T
  }

  async until(path: string, wanted: string): Promise<object> {
    for (;;) {
      const subject = await this.read<{ state: string; failure: string | null }>(path)
      if (subject.state === wanted) return subject
      if (subject.state === 'failed') throw new Error(`${path} failed: ${subject.failure}`)
      await sleep(50)
    }
  }

  async run(path: string, verb: string, wanted: string, body?: object): Promise<void> {
    await this.send('POST', `${path}/${verb}`, body)
    await this.until(path, wanted)
  }
}

async function watched(port: number, writer: pg.Client, work: () => Promise<void>): Promise<Seen> {
  const over = new AbortController()
  const paths = mixOfQueries().map(pathOf)
  const visits: number[] = []
  const waits: number[] = []
  const visiting = (async () => {
    for (let i = 0; !over.signal.aborted; i += 1) {
      const path = paths[i % paths.length] as string
      visits.push(await timeOf(async () => void (await ask(port, path, { ...clientKey, ...compressed }))))
      await sleep(20)
    }
  })()
  const waiting = (async () => {
    while (!over.signal.aborted) {
      // The first lock of every write to the catalogue.
      waits.push(await timeOf(async () => void (await writer.query('select from catalogue_state for update'))))
      await sleep(20)
    }
  })()
  let seconds: number
  try {
    seconds = (await timeOf(work)) / 1000
  } finally {
    over.abort()
    await Promise.all([visiting, waiting])
  }
  return { seconds, visitorsP99: quantile(visits, 0.99), longestWait: Math.max(...waits) }
}

/** New items: those of the catalogue under other ids and slugs. */
function csvOf(rows: number): string {
  const lines = [
    'name,slug,category,contentType,region,postDate,link,linkG,rating,rightsBasis,evidence,permitsDownload,permitsPaidAccess,people,externalId',
  ]
  for (const { id, name, slug, category, contentType, region, postedAt } of generateItems(rows)) {
    lines.push(
      `"Again ${name}",again-${slug},${category},${contentType},${region},${new Date(postedAt * 1000).toISOString()},` +
        `https://mega.nz/file/again-${slug},https://gofile.io/d/again-${slug},general,public_domain,` +
        `https://example.org/again/${slug},true,true,none,again-${id}`,
    )
  }
  return `${lines.join('\n')}\n`
}
