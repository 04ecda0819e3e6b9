import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import { readFirstEntry, readLapsingItems, readRestrictedItems } from './admin/content/admin-home.server.ts'
import { failedTransfers, waitingImports } from './admin/import/problems-of-transfers.server.ts'
import type { CatalogueApp } from './app.ts'
import { readGatewayProblem, readLostItems, readNetworkProblem } from './admin/catalogue-home.server.ts'
import { upgradeTexts } from './details/upgrade-texts.ts'
import { exportDownloads } from './gateway/export-downloads.server.ts'
import { catalogueJobs } from './jobs.server.ts'

/** What the catalogue adds to what is composed of all features. */
export const catalogueContributions: FeatureContributions<CatalogueApp> = {
  jobs: catalogueJobs,
  dataExport: [{ name: 'downloads', read: exportDownloads }],
  adminHome: {
    firstSteps: [{ order: 60, read: readFirstEntry }],
    waiting: [readRestrictedItems, waitingImports, readLapsingItems, readLostItems],
    problems: [failedTransfers, readNetworkProblem, readGatewayProblem],
  },
  texts: () => Promise.resolve(upgradeTexts),
}
