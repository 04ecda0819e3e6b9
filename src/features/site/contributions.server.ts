import { fillDemo } from './demo/fill-demo.server.ts'
import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import type { SiteApp } from './app.ts'
import { readBackupProblem, readBackupStanding, readBackupStep } from './backup/backup-health.server.ts'
import { siteActions, siteSubjects } from './audit-words.ts'
import { siteChecks } from './doctor-checks.server.ts'
import {
  readAddressStep,
  readDiskProblem,
  readJobProblems,
  readMailStanding,
  readMailStep,
} from './home/site-steps.server.ts'
import { backupMetrics } from './metrics/site-metrics.server.ts'
import { siteTexts } from './site-texts.ts'

export const siteContributions: FeatureContributions<SiteApp> = {
  auditActions: siteActions,
  auditSubjects: siteSubjects,
  onStart: [fillDemo],
  texts: () => Promise.resolve(siteTexts),
  doctorChecks: siteChecks,
  metrics: [backupMetrics],
  adminHome: {
    firstSteps: [
      { order: 20, name: 'address', read: readAddressStep },
      { order: 30, name: 'mail', read: readMailStep },
      { order: 70, name: 'backups', read: readBackupStep },
    ],
    problems: { jobs: readJobProblems, disk: readDiskProblem, backups: readBackupProblem },
    standings: [readBackupStanding, readMailStanding],
  },
}
