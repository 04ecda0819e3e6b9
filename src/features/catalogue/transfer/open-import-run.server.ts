import type { CatalogueApp } from '../app.ts'
import { itemText } from '../item/item.ts'
import type { ImportRow } from './import-file.server.ts'
import type { ImportTally } from './import-schema.ts'
import type { ReadRow, UnreadRow } from './read-row.server.ts'

export type ImportingApp = Pick<
  CatalogueApp,
  'config' | 'db' | 'clock' | 'log' | 'coverSource' | 'evidence' | 'diskSpace'
>

export interface ImportOptions {
  /** Publish what the gate lets pass; without it new items are drafts. */
  publish: boolean
  createCategories: boolean
  /** Names without creators become title and creator, split where this stands last. */
  splitNames?: string | undefined
  /** Look at every row and write nothing. */
  dryRun: boolean
}

export interface ImportRun {
  options: ImportOptions
  /** The member who attests the rights of its rows, and clears published ones. */
  by: string
  schema: ReturnType<typeof itemText>
  /** Rows that are read already: while the database works on a batch, the next one is. */
  read: WeakMap<ImportRow, ReadRow | UnreadRow>
  /** Which line an external id or slug was met in, and with what content: each item stands in a file once. */
  seen: Map<string, { line: number; digest: string }>
  /** By the slug a name makes, the first number that may be free; none below it becomes free again. */
  firstNumbers: Map<string, number>
  tally: ImportTally
}

/** The attestor of imports on the command line. */
export const operator = 'operator'

/** @param by the member who has begun it; without one it is the operator's */
export function openImportRun(app: Pick<ImportingApp, 'config'>, options: ImportOptions, by = operator): ImportRun {
  return {
    options,
    by,
    schema: itemText(app.config.timeZone),
    read: new WeakMap(),
    seen: new Map(),
    firstNumbers: new Map(),
    tally: noRows(),
  }
}

export function noRows(): ImportTally {
  return { created: 0, updated: 0, unchanged: 0, rejected: 0, published: 0, held: 0 }
}
