import type { RawBuilder } from 'kysely'
import type { SqlRunner } from '../../db/queryable.ts'
import type { DoctorChecks } from '../../platform/doctor/doctor-check.ts'
import type { EmailTemplate } from '../../platform/email/email-contribution.ts'
import type { JobContribution } from '../../platform/jobs/job-contribution.ts'
import type { MetricsPart } from '../../platform/metrics/metric.ts'
import type { ActionsByGroup, AuditSubjects } from './audit/audit-event.ts'
import type { TextSettings } from './office-config.server.ts'
import type { DeclaredText } from './texts/site-text.ts'
import type { Viewer } from './viewer/viewer.ts'

/** Everything that a feature may contribute on the server; those on the right of accounts have more (`FeatureContributions`). */
export interface Contributions<App extends { config: object; db: object }> {
  jobs?: readonly JobContribution<App>[]
  emails?: readonly EmailTemplate<App>[]
  /** Its actions of the audit log, each with its label, and the words of their subjects. */
  auditActions?: ActionsByGroup
  auditSubjects?: AuditSubjects
  /** Done at the start, one after the other and feature after feature, before anything is served. */
  onStart?: readonly ((app: App) => Promise<void>)[]
  /** Begun once the site is served. It may return its end, which is awaited before the jobs end. */
  onServing?: readonly ((app: App) => void | Promise<void> | (() => void | Promise<void>))[]
  /** Done at the stop, after the jobs have ended. */
  onStop?: readonly ((app: App) => Promise<void>)[]
  adminHome?: AdminHomePart<App>
  metrics?: readonly MetricsPart<App>[]
  /** Invariants of its rows (docs/spec/operations.md#invariants). */
  invariants?: readonly Invariant[]
  doctorChecks?: DoctorChecks<App['config'] & TextSettings, App['db']>
  /** The texts that it shows and administrators may change. A file of the settings is read here, once. */
  texts?: (config: App['config']) => Promise<readonly DeclaredText[]>
}

/** A feature's lines on the home of the administration. Each list is read anew for every request. */
export interface AdminHomePart<App> {
  /** The steps before a new site opens, done or not. `order` counts over all features; a step is skipped by its name. */
  firstSteps?: readonly { order: number; name: string; read(app: App): Promise<FirstStep> }[]
  /** Work that waits for this administrator; undefined without any. */
  waiting?: readonly ((app: App, viewer: Viewer) => Promise<Waiting | undefined>)[]
  /** Recent failures that need a hand, each kind under the name that it has in /metrics as well. */
  problems?: Readonly<Record<string, (app: App) => Promise<Problem[]>>>
  /** How something stands that runs by itself, in a few words: 'Stripe: in sync'. */
  standings?: readonly ((app: App) => Promise<string>)[]
}

export const homeGroups = [
  'notices',
  'inquiries',
  'requests',
  'content',
  'failed',
  'rights',
  'backups',
  'other',
] as const
export type HomeGroup = (typeof homeGroups)[number]

export interface HomeRow {
  /** In bold, such as '3 requests to decide'. */
  sentence: string
  /** Beside it: a name, a number. */
  facts?: string
  /** Below it: a sentence, or somebody's words in quotes. */
  line?: string
  /** The end of its clock. */
  until?: Date
  isOverdue?: boolean
  /** Since when it waits, or when it failed. */
  since?: Date
  /** How many things it tells of, where it stands for the rows of several; else 1. */
  things?: number
  /** The next step, on the button; 'Open' where none is given. */
  verb?: string
  to?: string
}

export interface FirstStep {
  title: string
  isDone: boolean
  /** One sentence: how it stands, or what to do. */
  help: string
  /** The page of this site where it is done. */
  to?: string
}

export interface Waiting extends HomeRow {
  group: HomeGroup
  /** The count beside the link of the navigation; 0 for an early notice that needs no hand yet. */
  count: number
  to: string
  /** Rows of its subjects, in place of its own. Only the home reads them, and never for the counts of the navigation. */
  rows?: () => Promise<HomeRow[]>
}

export interface Problem extends HomeRow {
  /** 'other' where none is given. */
  group?: HomeGroup
  alarm?: string
  /** The name of an alarm that this row says better: the home shows one of both. */
  tells?: string
  /** A row of waiting work says it: it is counted in /metrics alone. */
  isToldByWaiting?: true
}

/**
 * An invariant of the rows of a table. It is checked every night and by the doctor, some thousand rows at a time,
 * without a lock.
 */
export interface Invariant {
  /** The same for all time, such as `items.cleared`. */
  name: string
  /** The subject of the email about it: 'Published entries without a clearance'. */
  headline: string
  /** The fault of the rows that are found: 'They are published, and ...'. */
  sentence: string
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
  /** Rows of one step, if the usual number would be too much for memory. */
  rowsAtOnce?: number
  /** The page of the administration for the row of an id. */
  to?: (id: string) => string
}
