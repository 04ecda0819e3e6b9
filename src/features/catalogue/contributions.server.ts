import { flushSearchMisses } from './search/missed-searches.server.ts'
import { catalogueActions, catalogueSubjects } from './audit-words.ts'
import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import { readFirstEntry, readMissingSecondPerson, readUnverifiedItems } from './editing/content-home.server.ts'
import { failedTransfers, waitingImports } from './transfer/problems-of-transfers.server.ts'
import type { CatalogueApp } from './app.ts'
import { readLostItems, readNetworkProblem } from './links/links-home.server.ts'
import { readLapsedItems, readLapsingItems } from './rights/rights-home.server.ts'
import { upgradeTexts } from './details/upgrade-texts.ts'
import { catalogueJobs, catchUpCatalogue } from './jobs.server.ts'
import { catalogueMetrics } from './catalogue-metrics.server.ts'
import { catalogueEmails } from './publishing/notify-of-lapses.server.ts'
import { exportDownloads, exportReading } from './saved/download-history.server.ts'
import { digestEmails } from './saved-searches/digest-email.server.ts'
import { exportSearches } from './saved-searches/saved-searches.server.ts'
import { evidenceCheck } from './evidence/examine-evidence.server.ts'
import { publishingInvariants } from './publishing/publishing-invariants.server.ts'
import { readGatewayProblem } from './gateway/read-gateway-report.server.ts'

export const catalogueContributions: FeatureContributions<CatalogueApp> = {
  auditActions: catalogueActions,
  auditSubjects: catalogueSubjects,
  onStart: [catchUpCatalogue],
  // A check of links under way would be waited for.
  onServing: [flushSearchMisses, (app) => () => app.linkProbe.close()],
  jobs: catalogueJobs,
  emails: [...catalogueEmails, ...digestEmails],
  invariants: publishingInvariants,
  doctorChecks: { settings: [evidenceCheck] },
  // With the account their rows go by themselves.
  dataExport: [
    { name: 'downloads', read: exportDownloads },
    { name: 'reading', read: exportReading },
    { name: 'searches', read: exportSearches },
  ],
  adminHome: {
    firstSteps: [{ order: 60, name: 'entry', read: readFirstEntry }],
    waiting: [readUnverifiedItems, waitingImports, readLapsedItems, readLapsingItems, readLostItems],
    problems: {
      'second-person': readMissingSecondPerson,
      transfers: failedTransfers,
      'link-checks': readNetworkProblem,
      gateway: readGatewayProblem,
    },
  },
  metrics: catalogueMetrics,
  texts: () => Promise.resolve(upgradeTexts),
}
