import type { RawBuilder } from 'kysely'
import type { SqlRunner } from '../../db/queryable.ts'
import type { Config } from '../../platform/config/config.ts'
import type { EmailTemplates } from '../../platform/email/email-contribution.ts'
import type { JobContribution } from '../../platform/jobs/job-contribution.ts'
import type { AccountDeletionPart, DataExportPart } from './account/account-parts.ts'
import type { DeclaredText } from './texts/site-text.ts'
import type { RoleSource, Viewer } from './user/viewer.ts'

/**
 * What a feature adds on the server to what is composed of all features. Each lists its own in its
 * `contributions.server.ts`; `site/features.server.ts` lists the features.
 */
export interface FeatureContributions<App> {
  roles?: readonly RoleSource<App>[]
  jobs?: readonly JobContribution<App>[]
  emails?: EmailTemplates<App>
  dataExport?: readonly DataExportPart<App>[]
  accountDeletion?: AccountDeletionPart<App>
  adminHome?: AdminHomePart<App>
  /** What must always be true of its rows (docs/spec/operations.md#invariants). */
  invariants?: readonly Invariant[]
  /** Done soon after a member has taken another address, and again until it succeeds. */
  emailChanged?: (app: App, changed: { memberId: string }) => Promise<void>
  /** The texts that it shows and administrators may change. A file of the settings is read here, once. */
  texts?: (config: Config) => Promise<readonly DeclaredText[]>
}

/** What a feature shows on the home of the administration. Each list is read anew for every request. */
export interface AdminHomePart<App> {
  /** What a new site needs before it opens, done or not. `order` counts over all features. */
  firstSteps?: readonly { order: number; read(app: App): Promise<FirstStep> }[]
  /** What waits for this administrator; undefined while nothing does. */
  waiting?: readonly ((app: App, viewer: Viewer) => Promise<Waiting | undefined>)[]
  /** What went wrong lately and needs a hand. */
  problems?: readonly ((app: App) => Promise<Problem[]>)[]
}

export interface FirstStep {
  title: string
  isDone: boolean
  /** One sentence: how it stands, or what to do. */
  help: string
  /** Where it is done, on this site. */
  to?: string
}

export interface Waiting {
  /** Such as '3 requests to decide'. */
  sentence: string
  /** What the navigation counts beside the link; 0 where it is told ahead and needs no hand yet. */
  count: number
  to: string
}

export interface Problem {
  sentence: string
  at?: Date
  to?: string
}

/**
 * What must always be true of the rows of a table, whoever has written them. It is checked every night and by the doctor, some
 * thousand rows at a time, and nothing is locked for it.
 */
export interface Invariant {
  /** The same for all time, such as `items.cleared`. */
  name: string
  /** The subject of the email about it: 'Published entries without a clearance'. */
  headline: string
  /** What is wrong with the rows that are found: 'They are published, and ...'. */
  sentence: string
  /** What to do. */
  advice: string
  /** The table that is gone through, named in SQL, in the order of a unique key. */
  over: { table: RawBuilder<unknown>; key: string; type: 'integer' | 'uuid' }
  /**
   * Reads the ids of the rows that break it, as the column `id`, each once.
   * @param batch a part of the table in parentheses; it may stand in the query several times
   */
  findBroken: (batch: RawBuilder<unknown>) => RawBuilder<{ id: string }>
  /** Finds what SQL cannot say, besides: the ids of further rows of the batch that break it. */
  examine?: (db: SqlRunner, batch: RawBuilder<unknown>) => Promise<string[]>
  /** So many rows are looked at in one step, where the usual number would be too much for memory. */
  rowsAtOnce?: number
  /** Where the administration shows the row of an id. */
  to?: (id: string) => string
}
