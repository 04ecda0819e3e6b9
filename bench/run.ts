import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type Measured, type Part, partsOf } from './parts.ts'
import { saveResults } from './report.ts'

const usage = `npm run bench [-- --quick] [-- --only P1,P6]

Measures the speed goals, keeps the results in bench/results.json and writes docs/performance.md.
Needs PostgreSQL (BENCH_DATABASE_URL, default postgresql://postgres@127.0.0.1:5432; it may make databases named
daybook_bench_*) and, for the browser's part, Chromium (CHROMIUM).
  --quick   100 thousand items at the most, short rounds: a look, kept nowhere
  --only    the parts that decide these goals; P15 runs only this way: its catalogue of 10 million takes an hour
            and 30 GB to make (1 million with --quick)`

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

const only = values.only?.toUpperCase().split(',')
const startedAt = Date.now()
const measured = new Map<string, Measured>()
for (const part of partsOf(values.quick)) {
  if (only === undefined ? part.isOnDemand : !part.ids.some((id) => only.includes(id))) continue
  const result = await tryPart(part)
  measured.set(part.name, result)
  // After each part: a run takes most of an hour, and one that is cut short keeps what it has.
  if (!values.quick) await saveResults(new Map([[part.name, result]]))
  for (const { id, what, measured: told, isMet } of result.findings)
    console.log(`${isMet === undefined ? ' ' : isMet ? '✓' : '✗'} ${id.padEnd(4)} ${what}: ${told}`)
  if (result.table !== undefined) console.log(result.table)
}

const decided = [...measured.values()].flatMap(({ findings }) => findings).filter(({ isMet }) => isMet !== undefined)
const met = decided.filter(({ isMet }) => isMet).length
console.log(`\n${met} of ${decided.length} goals met, in ${Math.round((Date.now() - startedAt) / 1000)} s.`)

/** A part that cannot be measured is told, and the others go on. */
async function tryPart({ ids, measure }: Part): Promise<Measured> {
  try {
    return await measure()
  } catch (error) {
    console.error(error)
    const { message } = error as Error
    return {
      findings: ids.map((id) => ({ id, what: 'Could not be measured', goal: '', measured: message, isMet: false })),
    }
  }
}
