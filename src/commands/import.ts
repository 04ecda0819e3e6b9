import { stat } from 'node:fs/promises'
import { CoverSource } from '../features/catalogue/covers/cover-source.server.ts'
import { openEvidenceStore } from '../features/catalogue/evidence/evidence-store.server.ts'
import { openImportFile } from '../features/catalogue/transfer/import-file.server.ts'
import { importItems } from '../features/catalogue/transfer/import-items.server.ts'
import type { ImportTally } from '../features/catalogue/transfer/import-schema.ts'
import { sentenceOf } from '../features/catalogue/transfer/import-reasons.ts'
import { openRejectsFile, type RejectedRow } from '../features/catalogue/transfer/rejects-file.server.ts'
import { ProgressLine } from '../platform/cli/progress-line.ts'
import { type Command, readArguments, UsageError, type WithApp } from './command.ts'

export const importCommand: Command = {
  usage: `  import FILE [--dry-run] [--publish] [--create-categories] [--split-names TEXT]
         [--rejects FILE]
      Imports a catalogue from CSV or JSON lines; FILE - is standard input. Importing a file again changes nothing,
      and goes on where an earlier import was stopped.
        --dry-run             look at every row, report, and write nothing
        --publish             publish every row that passes the checks; the others stay drafts
        --create-categories   create categories that do not exist; otherwise their rows are rejected
        --split-names TEXT    make 'Hamlet — Shakespeare' a title and a creator: split at the last ' — ' where no creator is given
        --rejects FILE        write the rows that are not in, or not published, with their reasons
      Ends with 0 when every row is in, with 3 when some were rejected or stayed drafts, with 1 when it could not run.
`,
  createsDatabase: true,
  run: runImport,
}

async function runImport(args: string[], withApp: WithApp): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    {
      'dry-run': { type: 'boolean', default: false },
      publish: { type: 'boolean', default: false },
      'create-categories': { type: 'boolean', default: false },
      'split-names': { type: 'string' },
      rejects: { type: 'string' },
    },
    1,
  )
  const [path] = positionals
  if (path === undefined) throw new UsageError('The command import needs the file to import.')
  const splitNames = values['split-names']
  if (splitNames?.trim() === '') throw new UsageError('--split-names needs the text between title and creator.')
  const options = {
    publish: values.publish,
    createCategories: values['create-categories'],
    dryRun: values['dry-run'],
    splitNames,
  }

  const file = await openImportFile(path)
  const total = path === '-' ? undefined : (await stat(path)).size
  const stop = new AbortController()
  // Asked to stop, it ends after the batch under way; asked twice, at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

  return withApp(async (opened) => {
    const { config, log } = opened
    const app = {
      ...opened,
      evidence: openEvidenceStore(config, log),
      coverSource: new CoverSource(config, { isRehearsal: () => opened.rehearsal.isOn }),
    }
    // Not before the database is open: an import that cannot run leaves the report of an earlier one alone.
    const rejects = values.rejects === undefined ? undefined : await openRejectsFile(values.rejects, { path, file })
    const line = new ProgressLine(process.stderr)
    const reported = new ReportedRows(line)
    try {
      const tally = await importItems(app, file, options, {
        signal: stop.signal,
        async onProgress({ tally, bytesRead, rejected }) {
          if (rejects === undefined) reported.report(rejected)
          else await rejects.add(rejected)
          line.show({ done: bytesRead, total, count: rowsOf(tally), noun: 'rows' })
        },
      })
      line.clear()
      reported.end()
      process.stdout.write(summary(tally, options.dryRun, values.rejects))
      return tally.rejected + tally.held > 0 ? 3 : 0
    } finally {
      line.clear()
      await rejects?.close()
    }
  })
}

/** Says on the error output what is wrong with the first rows, when no rejects file takes them all. */
class ReportedRows {
  static readonly #max = 20
  readonly #line: ProgressLine
  #count = 0

  constructor(line: ProgressLine) {
    this.#line = line
  }

  report(rejected: RejectedRow[]): void {
    const room = Math.max(0, ReportedRows.#max - this.#count)
    if (room > 0 && rejected.length > 0) this.#line.clear()
    for (const { row, reasons } of rejected.slice(0, room)) {
      process.stderr.write(`line ${row.line}: ${reasons.map(sentenceOf).join(' | ')}\n`)
    }
    this.#count += rejected.length
  }

  end(): void {
    const rest = this.#count - ReportedRows.#max
    if (rest > 0) process.stderr.write(`… and ${rest.toLocaleString('en-US')} more; --rejects FILE writes them all.\n`)
  }
}

function rowsOf({ created, updated, unchanged, rejected }: ImportTally): number {
  return created + updated + unchanged + rejected
}

function summary(tally: ImportTally, isDryRun: boolean, rejects: string | undefined): string {
  const { created, updated, unchanged, rejected, published, held } = tally
  const counted = Object.entries({ created, updated, unchanged, rejected }).map(
    ([what, n]) => `${n.toLocaleString('en-US')} ${what}`,
  )
  const lines = [`${rowsOf(tally).toLocaleString('en-US')} rows: ${counted.join(', ')}.`]
  if (published + held > 0) {
    lines.push(
      `${published.toLocaleString('en-US')} ${isDryRun ? 'would be' : 'were'} published now; ${held.toLocaleString('en-US')} could not be.`,
    )
  }
  if (rejected + held > 0 && rejects !== undefined) lines.push(`The reasons are in ${rejects}.`)
  if (isDryRun) lines.push('This was a dry run: nothing was written.')
  return `${lines.join('\n')}\n`
}
