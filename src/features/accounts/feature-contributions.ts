import type { Config } from '../../platform/config/config.ts'
import type { EmailTemplates } from '../../platform/email/email-contribution.ts'
import type { JobContribution } from '../../platform/jobs/job-contribution.ts'
import type { AccountDeletionPart, DataExportPart } from './account/account-parts.ts'
import type { DeclaredText } from './texts/site-text.ts'
import type { RoleSource } from './user/viewer.ts'

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
  /** The texts that it shows and administrators may change. A file of the settings is read here, once. */
  texts?: (config: Config) => Promise<readonly DeclaredText[]>
}

/** What a feature shows on the home of the administration. Each list is read anew for every request. */
export interface AdminHomePart<App> {
  /** What a new site needs before it opens, done or not. `order` counts over all features. */
  firstSteps?: readonly { order: number; read(app: App): Promise<FirstStep> }[]
  /** What waits for an administrator; undefined while nothing does. */
  waiting?: readonly ((app: App) => Promise<Waiting | undefined>)[]
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
  count: number
  to: string
}

export interface Problem {
  sentence: string
  at?: Date
  to?: string
}
