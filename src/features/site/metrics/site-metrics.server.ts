import type { MetricsPart, Sample } from '../../../platform/metrics/metric.ts'
import type { AdminHomePart, Problem } from '../../office/contributions.ts'
import type { SiteApp } from '../app.ts'

/** The end of an alarm's name that says whom it is about: no label holds an id. */
const idAtEnd = / [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The problems on the home of the administration, by the name of the alarm or of the kind of problem, which is there with 0
 * as well.
 */
export function alarmMetrics(homes: readonly AdminHomePart<SiteApp>[]): MetricsPart<SiteApp>[] {
  const metrics = {
    daybook_alarms: {
      help: 'Problems on the home of the administration, by name.',
      type: 'gauge',
    },
  } as const
  return homes.flatMap(({ problems = {} }) =>
    Object.entries(problems).map(([name, read]) => ({
      metrics,
      asksDatabase: true as const,
      read: async (app: SiteApp) => ({ daybook_alarms: countByName(name, await read(app)) }),
    })),
  )
}

function countByName(kind: string, problems: readonly Problem[]): Sample[] {
  const counts = new Map([[kind, 0]])
  for (const { alarm = kind } of problems) {
    const name = alarm.replace(idAtEnd, '')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, value]) => ({ labels: { name }, value }))
}

/** The last backup of the clock. Where none was made yet, its age is that of the schedule. */
export const backupMetrics: MetricsPart<SiteApp> = {
  metrics: {
    daybook_backup_age_seconds: {
      help: 'Since the last backup of the clock, or since the clock began; absent where BACKUP_AT is off.',
      type: 'gauge',
    },
    daybook_backup_bytes: { help: 'The size of the last backup of the clock.', type: 'gauge' },
  },
  asksDatabase: true,
  async read({ db, clock, config }) {
    if (config.backupAt === 'off') return {}
    const row = await db.selectFrom('backup_schedule').selectAll().executeTakeFirst()
    const since = row?.made_at ?? row?.since
    return {
      daybook_backup_age_seconds: since === undefined ? 0 : (clock.now() - since.getTime()) / 1_000,
      daybook_backup_bytes: row?.byte_size == null ? undefined : Number(row.byte_size),
    }
  },
}
