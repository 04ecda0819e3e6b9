import { counted } from '../../platform/counted.ts'
import {
  type DoctorChecks,
  type ExaminedDatabase,
  type ExaminedSettings,
  type Finding,
  warning,
} from '../../platform/doctor/doctor-check.ts'
import type { SiteApp } from './app.ts'
import { backupCheck, backupPlaceCheck } from './backup/backup-health.server.ts'
import { failuresShownForDays } from './home/record-job-failure.server.ts'
import type { SiteConfig } from './site-config.server.ts'

export const siteChecks: DoctorChecks<SiteConfig, SiteApp['db']> = {
  settings: [{ about: 'Addresses', examine: examineSecurityContact }, backupPlaceCheck],
  database: [{ about: 'Jobs', examine: examineJobs }, backupCheck],
}

function* examineSecurityContact({ config }: ExaminedSettings<SiteConfig>): Generator<Finding> {
  if (!config.isPublic || config.securityContact !== undefined) return
  yield warning('nobody is named whom to tell of a weakness.', 'Set SECURITY_CONTACT to an email or https address.')
}

async function* examineJobs({ db, clock }: ExaminedDatabase<SiteConfig, SiteApp['db']>): AsyncGenerator<Finding> {
  const { count } = await db
    .selectFrom('job_failures')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('failed_at', '>', new Date(clock.now() - failuresShownForDays * 86_400_000))
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return
  yield warning(`${counted(Number(count), 'kind')} of work failed in the last 7 days.`, '/admin says which, and why.')
}
