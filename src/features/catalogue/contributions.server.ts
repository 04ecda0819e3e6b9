import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import {
  readFirstEntry,
  readLapsedItems,
  readLapsingItems,
  readMissingSecondPerson,
  readRestrictedItems,
  readUnverifiedItems,
} from './admin/content/admin-home.server.ts'
import { failedTransfers, waitingImports } from './admin/import/problems-of-transfers.server.ts'
import type { CatalogueApp } from './app.ts'
import { readGatewayProblem, readLostItems, readNetworkProblem } from './admin/catalogue-home.server.ts'
import { upgradeTexts } from './details/upgrade-texts.ts'
import { exportDownloads } from './gateway/export-downloads.server.ts'
import { catalogueJobs } from './jobs.server.ts'
import { catalogueEmails } from './publishing/notify-of-lapses.server.ts'
import { publishingInvariants } from './publishing/publishing-invariants.server.ts'

/** The lists that the catalogue contributes to. */
export const catalogueContributions: FeatureContributions<CatalogueApp> = {
  jobs: catalogueJobs,
  emails: catalogueEmails,
  invariants: publishingInvariants,
  dataExport: [{ name: 'downloads', read: exportDownloads }],
  adminHome: {
    firstSteps: [{ order: 60, read: readFirstEntry }],
    waiting: [
      readUnverifiedItems,
      readRestrictedItems,
      waitingImports,
      readLapsedItems,
      readLapsingItems,
      readLostItems,
    ],
    problems: [readMissingSecondPerson, failedTransfers, readNetworkProblem, readGatewayProblem],
  },
  texts: () => Promise.resolve(upgradeTexts),
}
