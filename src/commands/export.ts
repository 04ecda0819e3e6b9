import { extname } from 'node:path'
import { recordAuditEvent } from '../features/office/audit/record-audit-event.server.ts'
import { itemStatuses } from '../features/catalogue/editing/content-sections.ts'
import { exportItems } from '../features/catalogue/transfer/export-items.server.ts'
import { openOutput, type Output, streamOutput } from '../platform/cli/output.ts'
import { ProgressLine } from '../platform/cli/progress-line.ts'
import { type Command, oneOf, readArguments, type WithApp } from './command.ts'

export const exportCommand: Command = {
  usage: `  export [FILE] [--format csv|jsonl] [--status ${itemStatuses.join('|')}]
      Writes the catalogue in the same format, to FILE or standard output; without --status all but removed items.
`,
  run: runExport,
}

async function runExport(args: string[], withApp: WithApp): Promise<number> {
  const { values, positionals } = readArguments(args, { format: { type: 'string' }, status: { type: 'string' } }, 1)
  const [path] = positionals
  const byName = path !== undefined && /^\.(jsonl|ndjson)$/i.test(extname(path)) ? 'jsonl' : 'csv'
  const format = oneOf('--format', values.format ?? byName, ['csv', 'jsonl'] as const)
  const status = values.status === undefined ? {} : { status: oneOf('--status', values.status, itemStatuses) }
  const line = new ProgressLine(process.stderr)
  let count = 0
  await withApp(async (app) => {
    const target = path === undefined || path === '-' ? streamOutput(process.stdout) : await openExport(path)
    try {
      // Before the first piece: what has left cannot be called back when this is killed.
      await app.db
        .transaction()
        .execute((trx) =>
          recordAuditEvent(trx, { action: 'items.exported', by: 'operator', details: { format, ...status } }),
        )
      await exportItems(app, { format, ...status }, async (chunk, items) => {
        await target.write(chunk)
        count += items
        line.show({ done: 0, total: undefined, count, noun: 'items' })
      })
      await target.finish()
    } catch (error) {
      await target.discard()
      throw error
    }
  })
  line.clear()
  process.stderr.write(
    `${count.toLocaleString('en-US')} items were exported${path === undefined ? '' : ` to ${path}`}.\n`,
  )
  return 0
}

function openExport(path: string): Promise<Output> {
  return openOutput(path).catch((cause: Error) => {
    throw new Error(`The file ${path} cannot be written: ${cause.message}.`, { cause })
  })
}
