import { sql } from 'kysely'
import { type JobContribution, queuedJob } from '../../platform/jobs/job-contribution.ts'
import { jobsOfRuns, type RunSteps } from '../office/runs/work-on-run.server.ts'
import type { CatalogueApp } from './app.ts'
import { catalogueRuns } from './catalogue-runs.ts'
import { applySteps, previewSteps, undoSteps } from './bulk/bulk-edit-steps.server.ts'
import { deleteOldBulkEdits } from './bulk/delete-old-bulk-edits.server.ts'
import { mergeSteps } from './categories/merge-steps.server.ts'
import { checkMoreLinksJob, checkLinks } from './links/check-links.server.ts'
import { gatherLinks, readGathered } from './links/gather-links.server.ts'
import { completeAllFingerprints } from './publishing/complete-fingerprints.server.ts'
import { deleteOldTargets } from './removal/record-link-target.server.ts'
import { recomputeMonths } from './publishing/recompute-months.server.ts'
import { beginRecheck, recheckPublished, recheckPublishedJob } from './publishing/recheck-published.server.ts'
import { restrictLapsedItems } from './publishing/restrict-lapsed-items.server.ts'
import { notifyOfLapses } from './publishing/notify-of-lapses.server.ts'
import { forgetOldDownloads } from './saved/download-history.server.ts'
import { queueDigests } from './saved-searches/digests.server.ts'
import { deleteOldImports } from './transfer/delete-old-imports.server.ts'
import { importSteps } from './transfer/steps-of-import.server.ts'
import { deleteOldCounts, deleteOldTickets } from './gateway/delete-old-rows.server.ts'
import { followIdleGateway } from './gateway/follow-idle-gateway.server.ts'
import { sweepEvidence } from './evidence/store-evidence.server.ts'
import { sweepCovers } from './covers/store-cover.server.ts'

/** How the long work of administrators is done (docs/spec/catalogue.md#long-work). */
export const runSteps: Readonly<Record<(typeof catalogueRuns.kinds)[number], RunSteps<CatalogueApp>>> = {
  import_check: importSteps,
  import: importSteps,
  bulk_preview: previewSteps,
  bulk_apply: applySteps,
  bulk_undo: undoSteps,
  merge: mergeSteps,
}

/** An instance that was away for longer reads the whole listing again. */
const changesRetainedFor = '1 hour'
const gatherForMs = 15_000

/** The work of the catalogue. Items whose rights have lapsed are hidden from that instant on, before a job restricts them. */
export const catalogueJobs: readonly JobContribution<CatalogueApp>[] = [
  {
    name: 'catalogue.restrict-lapsed',
    cron: '* * * * *',
    work: async (app) => void (await restrictLapsedItems(app)),
  },
  { name: 'catalogue.notify-of-lapses', cron: '* * * * *', work: notifyOfLapses },
  { name: 'catalogue.recheck-published', cron: '31 4 * * *', work: beginRecheck },
  queuedJob(recheckPublishedJob, (app: CatalogueApp, data, attempt) => recheckPublished(app, data, attempt)),
  { name: 'catalogue.delete-old-changes', cron: '*/10 * * * *', work: deleteOldChanges },
  { name: 'catalogue.delete-old-tickets', cron: '17 * * * *', work: deleteOldTickets },
  { name: 'catalogue.delete-old-counts', cron: '37 3 * * *', work: deleteOldCounts },
  { name: 'catalogue.sweep-evidence', cron: '53 4 * * *', work: async (app) => void (await sweepEvidence(app)) },
  { name: 'catalogue.sweep-covers', cron: '57 4 * * *', work: async (app) => void (await sweepCovers(app)) },
  { name: 'catalogue.check-links', cron: '* * * * *', work: (app) => followLinks(app, {}) },
  // In short runs: a stop waits for one at most, and other jobs run in between.
  queuedJob(checkMoreLinksJob, followLinks, { retries: 0 }),
  { name: 'catalogue.complete-fingerprints', cron: '23 * * * *', work: completeAllFingerprints },
  { name: 'catalogue.forget-old-downloads', cron: '43 3 * * *', work: forgetOldDownloads },
  { name: 'catalogue.queue-digests', cron: '* * * * *', work: queueDigests },
  { name: 'catalogue.delete-old-targets', cron: '41 3 * * *', work: deleteOldTargets },
  ...jobsOfRuns(catalogueRuns, runSteps),
  {
    name: 'catalogue.delete-old-transfers',
    cron: '47 3 * * *',
    async work(app) {
      await deleteOldImports(app)
      await deleteOldBulkEdits(app)
    },
  },
]

/** The work that a start makes up for before anything else is written. */
export async function catchUpCatalogue(app: CatalogueApp): Promise<void> {
  const patient = { ...app, db: app.maintenanceDb }
  // First: no item may be written anew whose rights have ended meanwhile.
  await restrictLapsedItems(patient)
  await recomputeMonths(patient)
  await deleteOldChanges(patient)
}

async function followLinks(app: CatalogueApp, data: { requested?: 'due' | 'front' }): Promise<void> {
  try {
    await checkSomeLinks(app, data)
  } finally {
    await followIdleGateway(app, await readGathered(app))
  }
}

async function checkSomeLinks(app: CatalogueApp, data: { requested?: 'due' | 'front' }): Promise<void> {
  const { requested } = data
  if (app.rehearsal.isOn || (!app.config.checksLinks && requested === undefined)) {
    // `/admin/links` and the command line list them all the same.
    const until = performance.now() + gatherForMs
    await gatherLinks(app, () => performance.now() > until)
    return
  }
  const { isMore } = await checkLinks(app, { choice: { kind: requested ?? 'due' } })
  if (isMore) await app.jobs.add(app.db, checkMoreLinksJob, data)
}

async function deleteOldChanges({ db }: Pick<CatalogueApp, 'db'>): Promise<void> {
  await db
    .deleteFrom('catalogue_changes')
    .where(sql<boolean>`changed_at < now() - ${changesRetainedFor}::interval`)
    // The last one says which history of the database an image is of.
    .where(sql<boolean>`version < (select version from catalogue_state)`)
    .execute()
}
