import { counted } from '../../../../platform/counted.ts'
import type { ColumnFaults, ImportForAdmin, ImportProblemGroups } from '../import-schema.ts'

const number = (count: number): string => count.toLocaleString('en-US')
const rows = (count: number): string => counted(count, 'row')

const stateNames: Readonly<Record<ImportForAdmin['state'], string>> = {
  waiting: 'Waiting for you',
  checking: 'Checking',
  importing: 'Importing',
  done: 'Imported',
  failed: 'Failed',
  cancelled: 'Stopped',
}

type Stopped = Pick<ImportForAdmin, 'state' | 'tally' | 'wasChecked'>

/** Whether it was thrown away before a row was imported. */
function isDiscarded({ state, tally, wasChecked }: Stopped): boolean {
  return state === 'cancelled' && (wasChecked || tally === null)
}

export function stateInWords(imported: Stopped): string {
  return isDiscarded(imported) ? 'Discarded' : stateNames[imported.state]
}

export function isUnderWay({ state }: Pick<ImportForAdmin, 'state'>): boolean {
  return state === 'checking' || state === 'importing'
}

export function tallyInWords({ tally, state, wasChecked }: ImportForAdmin): string[] {
  if (tally === null) return []
  const isCheck = wasChecked || state === 'checking'
  const { created, updated, unchanged, rejected, published, held } = tally
  const would = isCheck ? 'would be ' : ''
  const lines = [
    `${rows(created + updated + unchanged + rejected)}: ${number(created)} ${would}new, ${number(updated)} ${would}changed, ${number(unchanged)} unchanged, ${number(rejected)} rejected.`,
  ]
  if (published + held > 0) {
    const outcome = isCheck ? 'may not be published' : held === 1 ? 'stayed a draft' : 'stayed drafts'
    const others = held === 0 ? '' : `; ${number(held)} ${outcome}, for the reasons below`
    lines.push(`${number(published)} ${isCheck ? 'would be' : 'now'} published${others}.`)
  }
  return lines
}

/** On the button after a check: 'Import 1,911 of 7,660' where rows would be rejected. */
export function importLabel({ tally }: Pick<ImportForAdmin, 'tally'>): string {
  if (tally === null || tally.rejected === 0) return 'Import'
  const taken = tally.created + tally.updated + tally.unchanged
  return `Import ${number(taken)} of ${number(taken + tally.rejected)}`
}

/** '1,200 rows, 34 %' */
export function progressInWords({ rowsDone }: Pick<ImportForAdmin, 'rowsDone'>, share: number): string {
  return `${rows(rowsDone)}, ${Math.floor(share * 100)} %`
}

export const stopSentence =
  'The rows imported so far stay. A stopped import cannot be continued: upload the file again for the rest.'

export function stoppedInWords(imported: Stopped): string {
  return isDiscarded(imported)
    ? 'Nothing was imported.'
    : 'The import was stopped. The rows imported so far stay; upload the file again for the rest.'
}

export function columnsInWords({ columns, isInOrder, format }: ImportForAdmin): string {
  if (format === 'jsonl') return 'JSON lines: each row names its own columns.'
  return `${counted(columns.length, 'column')}, all of them known${isInOrder ? '' : ', in a different order'}.`
}

export function faultsInWords({ unknown, missing, repeated }: ColumnFaults): string[] {
  return [
    ...unknown.map(({ name, meant }) =>
      meant === null
        ? `The column '${name}' is not known. Remove it, or rename it to a known column.`
        : `The column '${name}' is not known. Did you mean '${meant}'?`,
    ),
    ...missing.map((name) => `The column '${name}' is missing.`),
    ...repeated.map((name) => `The column '${name}' appears twice.`),
  ]
}

type Group = ImportProblemGroups['groups'][number]
type Missing = ImportProblemGroups['missingCategories'][number]

/** 'Lines 3, 4 and 9', 'Lines 3, 4, 9, 12, 13 …' */
export function linesInWords({ lines, rows: count }: Pick<Group, 'lines' | 'rows'>): string {
  if (count > lines.length) return `Lines ${lines.map(number).join(', ')} …`
  const last = lines.at(-1) ?? 0
  if (lines.length < 2) return `Line ${number(last)}`
  return `Lines ${lines.slice(0, -1).map(number).join(', ')} and ${number(last)}`
}

export function missingInWords(missing: readonly Pick<Missing, 'rows'>[]): string {
  const rejected = missing.reduce((sum, { rows: count }) => sum + count, 0)
  return missing.length === 1
    ? `${rows(rejected)} ${rejected === 1 ? 'is' : 'are'} rejected for a category that the site does not have.`
    : `${rows(rejected)} are rejected for ${number(missing.length)} categories that the site does not have.`
}

export function createLabel(count: number): string {
  return count === 1
    ? 'Create this category and check again'
    : `Create these ${number(count)} categories and check again`
}

/** After they were created, while the check is under way and until something else is done. */
export function createdInWords(count: number): string {
  return count === 1 ? 'Category created.' : `${number(count)} categories created.`
}
