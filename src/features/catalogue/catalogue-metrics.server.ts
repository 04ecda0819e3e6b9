import { cacheMetrics, type MetricsPart, readingsOfCache } from '../../platform/metrics/metric.ts'
import type { CatalogueApp } from './app.ts'

/** The listing in memory, its image on disk, and how far they are behind the database. */
export const catalogueMetrics: readonly MetricsPart<Pick<CatalogueApp, 'listing'>>[] = [
  { metrics: cacheMetrics, read: ({ listing }) => readingsOfCache('items', { entries: listing.figures.kept }) },
  { metrics: cacheMetrics, read: ({ listing }) => readingsOfCache('image', listing.figures.image) },
  {
    metrics: {
      daybook_entries_published: { help: 'Entries in the lists of this process.', type: 'gauge' },
      daybook_change_feed_age_seconds: {
        help: 'How long ago this process last read what others have changed; absent with the embedded database.',
        type: 'gauge',
      },
    },
    read({ listing }) {
      const { entries, feedAgeSeconds } = listing.figures
      return { daybook_entries_published: entries, daybook_change_feed_age_seconds: feedAgeSeconds }
    },
  },
]
