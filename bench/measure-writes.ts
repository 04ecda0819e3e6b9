import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { decodePayload } from '../src/features/catalogue/item/encoding.ts'
import { AnswerChecker } from './check-answers.ts'
import { type EditedItem, Editor, renameItem } from './edit-catalogue.ts'
import { type Effort, type Finding, middle, ms, percent, perSecond, times } from './findings.ts'
import { copyPostgres } from './generate-catalogue.ts'
import { clientKey, compressed, inTurn, load, type LoadResult, median, quantile, request } from './load.ts'
import { ask, makeImages, startDaybook } from './processes.ts'
import { mixOfQueries, pathOf } from './questions.ts'
import { Random } from './random.ts'

const usualEdits = 50
const manyEdits = 200

/** P13: edits beside reads, and how soon another instance shows them. */
export async function measureWrites({ seconds, rounds }: Effort): Promise<Finding[]> {
  const { address, drop } = await copyPostgres('100k')
  await makeImages({ DATABASE_URL: address }, 2)
  const reader = await startDaybook({ DATABASE_URL: address })
  const other = await startDaybook({ DATABASE_URL: address })
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const { rows } = await client.query<EditedItem>(
      `select no, name, slug, post_date as "postDate" from items where content_type = 'asian' and post_date < now()
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
    const ports = [reader.port, other.port]
    const checkAnswers = async (): Promise<Finding> => {
      const checked = { samples: 0, exact: 0, wrong: [] as string[] }
      const checks = new pg.Client({ connectionString: address })
      await checks.connect()
      for (const perSecond of [usualEdits, manyEdits]) {
        const over = AbortSignal.timeout(seconds * rounds * 1_000)
        const checker = new AnswerChecker(checks, rows, new Random(perSecond))
        const [{ samples, exact, wrong }] = await Promise.all([checker.run(ports, over), editor.run(perSecond, over)])
        checked.samples += samples
        checked.exact += exact
        checked.wrong.push(...wrong)
      }
      await checks.end()
      for (const line of checked.wrong) console.error(line)
      return {
        id: 'P13',
        what: 'Answers of two instances compared with SQL while items are edited, half of the time at each rate',
        goal: 'none wrong',
        measured: `${checked.wrong.length} wrong of ${checked.samples}, ${checked.exact} of them about what nobody edited`,
        isMet: checked.wrong.length === 0 && checked.samples > 0,
      }
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
      await renameItem(client, newest.no, name)
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
      await checkAnswers(),
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
