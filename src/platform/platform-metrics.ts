import type { MetricsPart, Sample } from './metrics/metric.ts'
import type { Platform } from './platform.ts'

/** Figures of the platform: the disk, the limits, the jobs and the emails in line. */
export const platformMetrics: readonly MetricsPart<Platform>[] = [
  {
    metrics: {
      daybook_disk_free_bytes: { help: 'Free bytes on the disk of DATA_DIR, as of the last look.', type: 'gauge' },
      daybook_writes_refused: { help: '1 while writes are refused for want of room.', type: 'gauge' },
    },
    read: ({ diskSpace }) => ({
      daybook_disk_free_bytes: diskSpace.freeBytes,
      daybook_writes_refused: diskSpace.refusesWrites ? 1 : 0,
    }),
  },
  {
    metrics: {
      daybook_database_way_lost: {
        help: '1 while a way to the database beside DATABASE_URL is lost: direct (nothing listens) or replica.',
        type: 'gauge',
      },
    },
    read: ({ outages: { lostWays } }) => ({
      daybook_database_way_lost: (['direct', 'replica'] as const).map((way) => ({
        labels: { way },
        value: lostWays.has(way) ? 1 : 0,
      })),
    }),
  },
  {
    metrics: {
      daybook_limit_refusals_total: { help: 'Refusals since the start, by the name of the limit.', type: 'counter' },
      daybook_limits_alone: { help: '1 while Redis does not answer and this process counts alone.', type: 'gauge' },
    },
    read: ({ limits }) => ({
      daybook_limit_refusals_total: [...limits.refused].map(([limit, value]) => ({ labels: { limit }, value })),
      daybook_limits_alone: limits.isAlone ? 1 : 0,
    }),
  },
  {
    metrics: {
      daybook_jobs: { help: 'Jobs by state: waiting, running, failed.', type: 'gauge' },
      daybook_jobs_oldest_seconds: {
        help: 'How long the oldest job of a state is in it; of the waiting, how long the one that is due longest is due.',
        type: 'gauge',
      },
      daybook_mail_waiting: { help: 'Emails in line.', type: 'gauge' },
    },
    asksDatabase: true,
    async read({ jobs }) {
      const figures = await jobs.desk.count()
      const samples = (read: (of: (typeof figures)[number]) => number): Sample[] =>
        figures.map((of) => ({ labels: { state: of.state }, value: read(of) }))
      return {
        daybook_jobs: samples(({ jobs: count }) => count),
        daybook_jobs_oldest_seconds: samples(({ oldestSeconds }) => oldestSeconds),
        daybook_mail_waiting: figures.find(({ state }) => state === 'waiting')?.emails ?? 0,
      }
    },
  },
]
