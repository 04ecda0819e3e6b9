import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/** The fate of the rows. Each is one of created, updated, unchanged and rejected. */
export const ImportTally = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  rejected: z.int(),
  /** The created and updated rows that are now published. */
  published: z.int(),
  /** Created, updated and unchanged rows that asked to be published, were refused by the gate, and are not published. */
  held: z.int(),
})
export type ImportTally = z.infer<typeof ImportTally>

export const ImportForAdmin = z.object({
  id: z.string(),
  fileName: z.string(),
  format: z.enum(['csv', 'jsonl']),
  bytes: z.int(),
  /** Those of its header, in the order of the file. */
  columns: z.array(z.string()),
  /** Columns of the format that the file leaves out; they are optional. */
  columnsLeftOut: z.array(z.string()),
  /** Whether its columns stand in the order of the format. */
  isInOrder: z.boolean(),
  state: z.enum(['waiting', 'checking', 'importing', 'done', 'failed', 'cancelled']),
  publish: z.boolean(),
  createCategories: z.boolean(),
  /** Whether what is told here is the result of a whole check. */
  wasChecked: z.boolean(),
  rowsDone: z.int(),
  bytesDone: z.int(),
  /** The counts of the last check or import, as far as it is. */
  tally: z.nullable(ImportTally),
  /** Rows that were rejected or held. */
  problems: z.int(),
  /** Whether the file is still there, to be checked or imported again. */
  hasFile: z.boolean(),
  /** Whether the rows with problems are still there. */
  hasRejects: z.boolean(),
  failure: TextOrNull,
  uploadedAt: Instant,
  endedAt: InstantOrNull,
})
export type ImportForAdmin = z.infer<typeof ImportForAdmin>

export const ImportsForAdmin = z.object({ imports: z.array(ImportForAdmin) })

export const ImportProblems = z.object({
  problems: z.array(
    z.object({
      /** The first line of the row; the header is line 1. */
      line: z.int(),
      name: z.string(),
      reasons: z.array(z.object({ column: TextOrNull, sentence: z.string() })),
    }),
  ),
  total: z.int(),
  totalPages: z.int(),
})
export type ImportProblems = z.infer<typeof ImportProblems>

export const ImportProblemGroups = z.object({
  /** The sentences, those of most rows first; at most 100. */
  groups: z.array(
    z.object({
      /** Names the group when its rows are asked for. */
      key: z.string(),
      column: TextOrNull,
      sentence: z.string(),
      rows: z.int(),
      lines: z.array(z.int()),
    }),
  ),
  /** How many sentences there are. */
  total: z.int(),
  /** The categories for want of which rows are rejected, those of most rows first; at most 1,000. */
  missingCategories: z.array(
    z.object({
      name: z.string(),
      rows: z.int(),
      /** Why it cannot be created; null where it can. */
      refusal: TextOrNull,
    }),
  ),
})
export type ImportProblemGroups = z.infer<typeof ImportProblemGroups>

/** Why a header is refused (the member `columns` of import.columns). */
export const ColumnFaults = z.object({
  /** Columns that the format does not have; `meant` is the one that looks most like it, if any does. */
  unknown: z.array(z.object({ name: z.string(), meant: TextOrNull })),
  missing: z.array(z.string()),
  repeated: z.array(z.string()),
})
export type ColumnFaults = z.infer<typeof ColumnFaults>
