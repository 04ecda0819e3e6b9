import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { decodePayload } from '../src/features/catalogue/item/encoding.ts'
import { type Effort, type Finding, middle, ms, percent, perSecond, times } from './findings.ts'
import { columnsOf, copyPostgres, generateItems, insertItems, sizes } from './generate-catalogue.ts'
import { clientKey, compressed, inTurn, load, type LoadResult, median, quantile, request } from './load.ts'
import { ask, startDaybook } from './processes.ts'
import { mixOfQueries, pathOf } from './questions.ts'

/** A published item gets another name, with the clearance that its new version needs. */
const edit = `
  with edited as (
    update items set name = $2, version = version + 1, cleared_version = version + 1, updated_at = now()
     where no = $1 returning id, version, fingerprint)
  insert into clearances (item_id, version, fingerprint, checks, cleared_by)
  select id, version, fingerprint, '["bench"]', 'bench' from edited`

/** A published item comes on another day, with the clearance that its new version needs. */
const move = `
  with moved as (
    update items set post_date = $2, post_month = extract(month from $2::timestamptz at time zone 'UTC'),
                     version = version + 1, cleared_version = version + 1, updated_at = now()
     where no = $1 returning id, version, fingerprint)
  insert into clearances (item_id, version, fingerprint, checks, cleared_by)
  select id, version, fingerprint, '["bench"]', 'bench' from moved`

const dayMs = 86_400_000

interface EditedItem {
  no: number
  name: string
  postDate: Date
}

/** Changes the catalogue again and again: half of the edits give another name, a quarter move an item, a quarter add one. */
class Editor {
  readonly #client: pg.Client
  readonly #items: EditedItem[]
  readonly #added = generateItems(sizes['10k'])
  edits = 0

  constructor(client: pg.Client, items: EditedItem[]) {
    this.#client = client
    this.#items = items
  }

  /** @returns how many edits a second it came to */
  async run(perSecond: number, over: AbortSignal): Promise<number> {
    const startedAt = performance.now()
    const before = this.edits
    while (!over.aborted) {
      await this.#edit()
      const ahead = startedAt + ((this.edits - before) * 1000) / perSecond - performance.now()
      if (ahead > 0) await sleep(ahead)
    }
    return (this.edits - before) / ((performance.now() - startedAt) / 1000)
  }

  async #edit(): Promise<void> {
    const item = this.#items[(this.edits * 7) % this.#items.length] as EditedItem
    if (this.edits % 2 === 0) await this.#client.query(edit, [item.no, `${item.name.slice(0, 280)} ${this.edits}`])
    else if (this.edits % 4 === 1) {
      const days = (this.edits % 13) - 6
      await this.#client.query(move, [item.no, new Date(item.postDate.getTime() - Math.abs(days) * dayMs)])
    } else await this.#add(item.postDate)
    this.edits += 1
  }

  /** Adds an item like one of the catalogue, on that day. */
  async #add(postDate: Date): Promise<void> {
    const like = this.#added.next().value
    if (like === undefined) throw new Error('There is nothing left to add.')
    const item = { ...like, id: randomUUID(), slug: `${like.slug}-added`, postedAt: postDate.getTime() / 1000 }
    await this.#client.query(insertItems, columnsOf([item]))
  }
}

const usualEdits = 50
const manyEdits = 200

/** P13: edits beside reads, and how soon another instance shows them. */
export async function measureWrites({ seconds, rounds }: Effort): Promise<Finding[]> {
  const { address, drop } = await copyPostgres('100k')
  const reader = await startDaybook({ DATABASE_URL: address })
  const other = await startDaybook({ DATABASE_URL: address })
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const { rows } = await client.query<EditedItem>(
      `select no, name, post_date as "postDate" from items where content_type = 'asian' and post_date < now()
        order by post_date desc, created_at desc, no desc limit 2000`,
    )
    const editor = new Editor(client, rows)
    const requests = mixOfQueries().map((query) => request(pathOf(query), { ...clientKey, ...compressed }))
    await load(reader.port, requests, { count: 4 * requests.length })
    const rates: Record<number, number[]> = { [usualEdits]: [], [manyEdits]: [] }
    const whileEdited = async (perSecond: number): Promise<LoadResult> => {
      const over = new AbortController()
      const writing = editor.run(perSecond, over.signal)
      try {
        return await load(reader.port, requests, { seconds })
      } finally {
        over.abort()
        rates[perSecond]?.push(await writing)
      }
    }
    const quietly = async (): Promise<LoadResult> => {
      // Recomputes the answers that the previous edits have made doubtful, outside of the measurement.
      await load(reader.port, requests, { count: 2 * requests.length })
      return load(reader.port, requests, { seconds })
    }
    const results = await inTurn(
      { quiet: quietly, usual: () => whileEdited(usualEdits), many: () => whileEdited(manyEdits) },
      rounds,
    )
    const [quiet, usual, many] = [middle(results.quiet), middle(results.usual), middle(results.many)]
    const [usualRate, manyRate] = [median(rates[usualEdits] ?? []), median(rates[manyEdits] ?? [])]
    const [share, usualTail, manyTail] = [
      usual.perSecond / quiet.perSecond,
      usual.p99 / quiet.p99,
      many.p99 / quiet.p99,
    ]

    const delays: number[] = []
    const [newest] = (
      await client.query<{ no: number }>(
        `select no from items where content_type = 'asian' and post_date < now()
          order by post_date desc, created_at desc, no desc limit 1`,
      )
    ).rows as [{ no: number }]
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
        what: `Mix of 338 questions while items are edited, half of them moved or added (${usualRate.toFixed(0)} edits/s)`,
        goal: 'at least 80 % of the quiet rate; p99 at most 1.5 times quiet',
        measured: `${percent(share)} (${perSecond(usual.perSecond)}, quiet ${perSecond(quiet.perSecond)}); ${times(usualTail)} (${ms(usual.p99)}, quiet ${ms(quiet.p99)})`,
        isMet: share >= 0.8 && usualTail <= 1.5 && usualRate > 0.9 * usualEdits,
      },
      {
        id: 'P13',
        what: `The same (${manyRate.toFixed(0)} edits/s)`,
        goal: 'p99 at most 3 times quiet',
        measured: `${times(manyTail)} (${ms(many.p99)}; ${perSecond(many.perSecond)})`,
        isMet: manyTail <= 3 && manyRate > 0.9 * manyEdits,
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
