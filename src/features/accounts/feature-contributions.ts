import type { Contributions } from '../office/contributions.ts'
import type { RoleSource } from '../office/viewer/viewer.ts'
import type { AccountDeletionPart, DataExportPart } from './account/account-parts.ts'

/**
 * A feature's server-side contributions. Each feature lists its own in its `contributions.server.ts`;
 * `site/features.server.ts` lists the features.
 */
export interface FeatureContributions<App extends { config: object; db: object }> extends Contributions<App> {
  roles?: readonly RoleSource<App>[]
  dataExport?: readonly DataExportPart<App>[]
  accountDeletion?: AccountDeletionPart<App>
  /** Done soon after a member has taken another address, and again until it succeeds. */
  emailChanged?: (app: App, changed: { memberId: string }) => Promise<void>
}
