import { counted } from '../../../../../platform/counted.ts'
import type { ImportForAdmin } from '../../import/import-schema.ts'

const number = (count: number): string => count.toLocaleString('en-US')
const rows = (count: number): string => counted(count, 'row')

export const stateNames: Readonly<Record<ImportForAdmin['state'], string>> = {
  waiting: 'Waits for you',
  checking: 'Being checked',
  importing: 'Being imported',
  done: 'Imported',
  failed: 'Failed',
  cancelled: 'Given up',
}

export function isUnderWay({ state }: Pick<ImportForAdmin, 'state'>): boolean {
  return state === 'checking' || state === 'importing'
}

/** '2.4 MB' */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${number(bytes)} bytes`
  if (bytes < 1_000_000) return `${number(Math.round(bytes / 1_000))} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** What a check or an import has found or done. */
export function tallyInWords({ tally, state, wasChecked }: ImportForAdmin): string[] {
  if (tally === null) return []
  const isCheck = wasChecked || state === 'checking'
  const { created, updated, unchanged, rejected, published, held } = tally
  const would = isCheck ? 'would be ' : ''
  const lines = [
    `${rows(created + updated + unchanged + rejected)}: ${number(created)} ${would}new, ${number(updated)} ${would}changed, ${number(unchanged)} unchanged, ${number(rejected)} rejected.`,
  ]
  if (published + held > 0)
    lines.push(
      `${number(published)} ${isCheck ? 'would be' : 'now'} published${held === 0 ? '.' : `; ${number(held)} may not be published, for the reasons below.`}`,
    )
  return lines
}

/** '1,200 rows, 34 %' */
export function progressInWords({ rowsDone }: Pick<ImportForAdmin, 'rowsDone'>, share: number): string {
  return `${rows(rowsDone)}, ${Math.floor(share * 100)} %`
}

/** What is to know about the columns of a file that was taken. */
export function columnsInWords({ columns, columnsLeftOut, isInOrder, format }: ImportForAdmin): string[] {
  if (format === 'jsonl') return ['JSON lines: each row names its own columns.']
  const lines = [
    `${counted(columns.length, 'column')}, all of them known${isInOrder ? '' : ', in an order of their own'}.`,
  ]
  if (columnsLeftOut.length > 0) lines.push(`Left out, and optional: ${columnsLeftOut.join(', ')}.`)
  return lines
}

/** What is wrong with the header of a file that was refused. */
export function faultsInWords({
  unknown,
  missing,
  repeated,
}: {
  unknown: readonly { name: string; meant: string | null }[]
  missing: readonly string[]
  repeated: readonly string[]
}): string[] {
  return [
    ...unknown.map(({ name, meant }) =>
      meant === null
        ? `The column '${name}' is not known. Take it out, or give it a name of the format.`
        : `The column '${name}' is not known. Did you mean '${meant}'?`,
    ),
    ...missing.map((name) => `The column '${name}' is missing.`),
    ...repeated.map((name) => `The column '${name}' stands there twice.`),
  ]
}
