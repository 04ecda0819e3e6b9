import type { EmailTemplates } from '../../platform/email/email-contribution.ts'
import type { JobContribution } from '../../platform/jobs/job-contribution.ts'
import type { AccountDeletionPart, DataExportPart } from './account/account-parts.ts'
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
}
