import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { client } from './load.ts'
import type { Measured } from './parts.ts'

/** The last result of each part, beside the bench, so that parts can be measured on different days. */
const resultsFile = join(import.meta.dirname, 'results.json')
const reportFile = join(import.meta.dirname, '../docs/performance.md')

interface Result extends Measured {
  /** The day, in UTC. */
  measuredOn: string
  machine: string
}

type Results = Record<string, Result>

/** Keeps what was measured, and writes docs/performance.md from all that is kept. */
export async function saveResults(measured: ReadonlyMap<string, Measured>): Promise<void> {
  const results = JSON.parse(await readFile(resultsFile, 'utf8')) as Results
  const measuredOn = new Date().toISOString().slice(0, 10)
  for (const [name, part] of measured) results[name] = { measuredOn, machine: machine(), ...part }
  await writeFile(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`)
  await writeFile(reportFile, report(results))
  // As the quick gate wants them.
  execFileSync(join(import.meta.dirname, '../node_modules/.bin/oxfmt'), [resultsFile, reportFile])
}

function machine(): string {
  const processors = `${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'})`
  const sentBy = client === 'wrk' ? 'wrk' : 'Node'
  return `${processors}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, client ${sentBy}`
}

const order = (id: string): number => Number(id.slice(1))

function report(results: Results): string {
  const rows = Object.values(results)
    .flatMap(({ findings, measuredOn }) => findings.map((finding) => ({ ...finding, measuredOn })))
    .sort((a, b) => order(a.id) - order(b.id))
    .map(({ id, what, goal, measured, isMet, measuredOn }) => {
      const met = isMet === undefined ? '' : isMet ? 'yes' : '**no**'
      return `| ${id} | ${what} | ${goal} | ${measured} | ${met} | ${measuredOn} |`
    })
  const machines = [...new Set(Object.values(results).map((result) => result.machine))]
  return `# Performance: what was measured

Written by \`npm run bench\`; each line tells the day. Measured on: ${machines.join('; ')}.

One Daybook process, the client and PostgreSQL on the same machine, 16 connections and 100,000 items where nothing else is
said; medians of several rounds in which every contender was measured in turn. Machines are noisy and this one is shared:
only ratios within one run count. The peers were not run here: figures that are compared with Ghost and Directus stand
against what those did on the machine of the goals, by another client, and show the order of magnitude.

| goal | what | wanted | measured | met | on |
|---|---|---|---|---|---|
${rows.join('\n')}

The share of bare is computed from the processor time of an answer, which the machine's other work hardly touches; the rates stand beside it.
"Bare" is a \`node:http\` server that sends the same bytes under the same headers. "Computed" answers are made with the answer
cache off (\`ANSWER_CACHE_MB=0\`); the items they are put together from may be in memory, as they are in a running server. An answer
that was never asked for before is compressed in haste, a kept one well. Questions with a fixed number of calls (P5, P6, P9)
come from a client in Node. Where "met" is empty there is a goal and nothing to hold against it yet.

## Each kind of question

One connection, every question once, the answer computed; a million items where the table above says so. Before that the server has
answered half as many other questions of each kind, as one that has run for a while. The queries are those that the search and its
rows send to the database.

${results['kinds']?.table ?? ''}

## Each kind of finding

Search by fit, facets and the counts of the rail, asked in the same way.

${results['finding']?.table ?? 'Not measured yet.'}

## Each call of the administration

100,000 items, 100,000 members of whom 80,000 are or were VIPs, a million downloads, 300,000 events in the audit log; one
connection. Raw SQL is the same rows, written by hand and made JSON. "Load" is that of the machine when the call was
measured: each goal holds on a machine that does nothing else.

${results['administration']?.table ?? ''}

The same with the embedded database:

${results['embedded-administration']?.table ?? ''}

Requests and inquiries, 100,000 of each:

${results['inbox']?.table ?? ''}

Notices, 100,000 of them:

${results['notices']?.table ?? 'Not measured yet.'}

## How to measure

\`npm run bench\` (a quarter of an hour, and some more when the catalogues are made for the first time), \`npm run bench -- --only P6,P7\`
for the parts that decide these goals, \`npm run bench -- --quick\` for a look that is kept nowhere. The catalogues are made by
\`bench/generate-catalogue.ts\`, always the same, and kept in PostgreSQL for the next run; the results in \`bench/results.json\`.
`
}
