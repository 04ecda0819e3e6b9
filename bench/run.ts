import { cpus, totalmem } from 'node:os'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Finding } from './findings.ts'
import { preparePostgres, sizes } from './generate-catalogue.ts'
import { measureAnswers } from './measure-answers.ts'
import { measureContentList } from './measure-content-list.ts'
import { measureDepth, measureKinds } from './measure-depth.ts'
import { client } from './load.ts'
import { measureEmbedded, measureImport } from './measure-embedded.ts'
import { measureBrowser, measureLongDay, measurePages } from './measure-pages.ts'
import { measurePeople } from './measure-people.ts'
import { measureSignIns } from './measure-sign-ins.ts'
import { measureVipLists } from './measure-vip-lists.ts'
import { measureWrites } from './measure-writes.ts'

const usage = `npm run bench [-- --quick] [-- --only P1,P6]

Measures the speed goals and writes docs/performance.md (not with --only).
Needs PostgreSQL (BENCH_DATABASE_URL, default postgresql://postgres@127.0.0.1:5432; it may make databases named
daybook_bench_*) and, for the browser's part, Chromium (CHROMIUM).
  --quick   100 thousand items at the most, short rounds: a look, not a measurement
  --only    some of the goals, printed and not written`

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit(0)
}
const prepare = pathToFileURL(join(import.meta.dirname, '../scripts/prepare.mjs')).href
const { ensureBuilt } = (await import(prepare)) as { ensureBuilt: () => Promise<void> }
await ensureBuilt()

const isQuick = values.quick
const only = values.only?.toUpperCase().split(',')
// wrk counts in whole seconds.
const effort = isQuick ? { seconds: 1, rounds: 3 } : { seconds: 2, rounds: 5 }
const large = isQuick ? '100k' : '1m'

const startedAt = Date.now()
const findings: Finding[] = []
let kinds = ''
const note = (found: Finding[]): void => {
  findings.push(...found)
  for (const { id, what, measured, isMet } of found)
    console.log(`${isMet === undefined ? ' ' : isMet ? '✓' : '✗'} ${id.padEnd(4)} ${what}: ${measured}`)
}

/** What is there to measure once it is built. */
const notThereYet: Finding[] = [
  {
    id: 'P14',
    what: 'Two workers on two processors',
    goal: 'at least 1.8 times one worker; memory at most 1.3 times',
    measured: 'not measured: a process has one worker',
    isMet: undefined,
  },
  {
    id: 'P15',
    what: '10 million items',
    goal: 'starts within 15 s from its image; first page and rare word as P6; memory at most 3 GB',
    measured: 'not measured: there is no image to start from',
    isMet: undefined,
  },
]

/** Measures one part; one that cannot be measured is told, and the others go on. */
async function part(ids: string[], measure: () => Promise<Finding[]>): Promise<void> {
  if (only !== undefined && !ids.some((id) => only.includes(id))) return
  try {
    note(await measure())
  } catch (error) {
    console.error(error)
    note(
      ids.map((id) => ({
        id,
        what: 'Could not be measured',
        goal: '',
        measured: (error as Error).message,
        isMet: false,
      })),
    )
  }
}

await part(['P1', 'P2', 'P3', 'P4', 'P5', 'P10'], async () => measureAnswers(await preparePostgres('100k'), effort))
await part(['P6'], async () => {
  const { findings: found, table } = await measureKinds(await preparePostgres(large), sizes[large], isQuick ? 6 : 16)
  kinds = table
  console.log(table)
  return found
})
await part(['P7', 'P10'], async () =>
  measureDepth(await preparePostgres('10k'), await preparePostgres(large), sizes[large], effort),
)
await part(['P8'], async () => measurePages(await preparePostgres('100k'), effort))
await part(['P9'], () => measureEmbedded(isQuick ? 20_000 : 100_000))
await part(['P10'], () => measureImport(isQuick ? 20_000 : 100_000))
await part(['P11'], async () => {
  await preparePostgres('100k')
  return measureSignIns(isQuick ? 2 : 4, isQuick ? 2 : 3)
})
await part(['P12'], async () => measureBrowser(await preparePostgres('100k')))
await part(['P12'], async () => {
  await preparePostgres('100k')
  return measureLongDay()
})
await part(['P13'], async () => {
  await preparePostgres('100k')
  return measureWrites({ seconds: isQuick ? 3 : 6, rounds: isQuick ? 1 : 3 })
})
await part(['P16'], async () => {
  await preparePostgres('100k')
  return measureVipLists(effort)
})
await part(['P17'], async () => {
  await preparePostgres('10k')
  return measurePeople()
})
await part(['P16'], async () => {
  await preparePostgres('100k')
  return measureContentList(isQuick ? 10 : 30)
})
await part(['P14', 'P15'], () => Promise.resolve(notThereYet))

const order = (finding: Finding): number => Number(finding.id.slice(1))
findings.sort((a, b) => order(a) - order(b))
const decided = findings.filter((finding) => finding.isMet !== undefined)
console.log(
  `\n${decided.filter((finding) => finding.isMet).length} of ${decided.length} goals met, in ${Math.round((Date.now() - startedAt) / 1000)} s.`,
)
if (only === undefined) await writeFile(join(import.meta.dirname, '../docs/performance.md'), report())

function report(): string {
  const rows = findings.map(
    ({ id, what, goal, measured, isMet }) =>
      `| ${id} | ${what} | ${goal} | ${measured} | ${isMet === undefined ? '' : isMet ? 'yes' : '**no**'} |`,
  )
  return `# Performance: what was measured

Written by \`npm run bench${isQuick ? ' -- --quick' : ''}\` on ${new Date().toISOString().slice(0, 10)}. ${isQuick ? 'A quick look: short rounds, at most 100,000 items.' : ''}

One Daybook process, client (${client === 'wrk' ? '`wrk`, one thread' : 'in Node, which costs about as much as a server: bare node:http itself is held back by it'}) and PostgreSQL beside it on ${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB of memory, Node ${process.versions.node}.
16 connections and 100,000 items where nothing else is said; medians of ${effort.rounds} rounds of ${effort.seconds} s in which every contender was measured in turn.
Machines are noisy and this one is shared: only ratios within one run count. The peers were not run here: figures that are
compared with Ghost and Directus stand against what those did on the machine of the goals, by another client, and show
the order of magnitude.

| goal | what | wanted | measured | met |
|---|---|---|---|---|
${rows.join('\n')}

The share of bare is computed from the processor time of an answer, which the machine's other work hardly touches; the rates stand beside it.
"Bare" is a \`node:http\` server that sends the same bytes under the same headers. "Computed" answers are made with the answer
cache off (\`ANSWER_CACHE_MB=0\`); the items they are put together from may be in memory, as they are in a running server. An answer
that was never asked for before is compressed in haste, a kept one well. Rates and p99 come from ${client === 'wrk' ? '`wrk`' : 'the client in Node'}; what is
asked a certain number of times (P5, P6, P9) comes from a client in Node. Where "met" is empty there is a goal and nothing to
hold against it yet.

## Each kind of question, ${sizes[large].toLocaleString('en-US')} items

One connection, every question once, the answer computed.

${kinds}

## How to measure

\`npm run bench\` (about ten minutes, and some more when the catalogues are made for the first time), \`npm run bench -- --quick\`, \`npm run bench -- --only P6,P7\`. The catalogues are made by
\`bench/generate-catalogue.ts\`, always the same, and kept in PostgreSQL for the next run.
`
}
