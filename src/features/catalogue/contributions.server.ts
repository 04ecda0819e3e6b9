import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import type { CatalogueApp } from './app.ts'
import { upgradeTexts } from './details/upgrade-texts.ts'
import { exportDownloads } from './gateway/export-downloads.server.ts'
import { catalogueJobs } from './jobs.server.ts'

/** What the catalogue adds to what is composed of all features. */
export const catalogueContributions: FeatureContributions<CatalogueApp> = {
  jobs: catalogueJobs,
  dataExport: [{ name: 'downloads', read: exportDownloads }],
  texts: () => Promise.resolve(upgradeTexts),
}
