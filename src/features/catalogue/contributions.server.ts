import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import { failedTransfers, waitingImports } from './admin/import/problems-of-transfers.server.ts'
import type { CatalogueApp } from './app.ts'
import { exportDownloads } from './gateway/export-downloads.server.ts'
import { catalogueJobs } from './jobs.server.ts'

/** What the catalogue adds to what is composed of all features. */
export const catalogueContributions: FeatureContributions<CatalogueApp> = {
  jobs: catalogueJobs,
  adminHome: { waiting: [waitingImports], problems: [failedTransfers] },
  dataExport: [{ name: 'downloads', read: exportDownloads }],
}
