import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { defineError } from '../../../platform/errors.ts'
import { openOutput } from '../../../platform/cli/output.ts'
import { csvLines } from '../../../platform/csv/csv.ts'
import type { ImportFile, ImportRow } from './import-file.server.ts'
import { sentenceOf } from './import-reasons.ts'

export interface RejectedRow {
  row: ImportRow
  reasons: string[]
  /** The column that each reason is about; null where it is about the whole row. */
  columns: (string | null)[]
}

export interface RejectsFile {
  add(rejected: RejectedRow[]): Promise<void>
  /** Gives the file its name; a file that stood there before is replaced. */
  close(): Promise<void>
}

/**
 * Writes the rows that an import could not take, with the columns they came with, their line and the reasons, in the
 * format of the imported file: mended, it can be imported itself. It has its name only when it is whole, so a report of an
 * earlier run stays until the new one is ready.
 * @throws {AppError} `import.rejects` when it cannot be written, or would overwrite the file that is being imported
 */
export async function openRejectsFile(
  path: string,
  imported: { path: string; file: ImportFile },
): Promise<RejectsFile> {
  const { columns, format } = imported.file
  const [there, read] = await Promise.all([statOf(path), statOf(imported.path === '-' ? '/dev/stdin' : imported.path)])
  // A terminal is read and written at once, a file is not.
  if (there !== undefined && !there.isCharacterDevice() && there.ino === read?.ino && there.dev === read.dev) {
    throw rejectsOverImport(path)
  }
  const output = await openOutput(path).catch((cause: Error) => {
    throw rejectsUnwritable(path, cause.message, { cause })
  })
  await output.write(rejectsHeader({ columns, format }))
  return {
    async add(rejected) {
      if (rejected.length === 0) return
      const rows = rejected.map(({ row: { cells, line }, reasons }) => ({ cells, line, reasons }))
      await output.write(rejectsLines({ columns, format }, rows))
    },
    close: () => output.finish(),
  }
}

type Form = Pick<ImportFile, 'columns' | 'format'>

export function rejectsHeader({ columns, format }: Form): string {
  return format === 'csv' ? csvLines([[...columns, 'line', 'reason']]) : ''
}

export function rejectsLines(
  { columns, format }: Form,
  rejected: { cells: Record<string, string>; line: number; reasons: string[] }[],
): string {
  const rows = rejected.map(({ cells, line, reasons }) => ({
    cells,
    line,
    reason: reasons.map(sentenceOf).join(' | '),
  }))
  return format === 'csv'
    ? csvLines(rows.map(({ cells, line, reason }) => [...columns.map((column) => cells[column]), line, reason]))
    : rows.map(({ cells, ...report }) => `${JSON.stringify({ ...cells, ...report })}\n`).join('')
}

function statOf(path: string): Promise<BigIntStats | undefined> {
  return stat(path, { bigint: true }).catch(() => undefined)
}

const badRejectsFile = {
  code: 'import.rejects',
  status: 400,
  remedy: 'Name another file for the rejected rows.',
  isOfCommand: true,
}

const rejectsOverImport = defineError({
  ...badRejectsFile,
  sentence: (path: string) => `The rejects file ${path} is the file that is imported. Choose another name.`,
})

const rejectsUnwritable = defineError({
  ...badRejectsFile,
  sentence: (path: string, message: string) => `The rejects file ${path} cannot be written: ${message}.`,
})
