import type { Figure } from '../../../platform/csv/csv.ts'

export type Cell = string | number | Figure

export interface Table {
  /** Names it for screen readers, and its file. */
  name: string
  heads: readonly string[]
  rows: readonly (readonly Cell[])[]
  /** The link of the first cell of each row, or null. A file has no links. */
  links?: readonly (string | null)[]
}
