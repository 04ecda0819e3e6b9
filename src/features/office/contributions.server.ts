import { deleteOldAlarms, readAlarms } from './alarms/alarms.server.ts'
import type { OfficeApp } from './app.ts'
import { signatureMetrics } from './alarms/webhook-signatures.server.ts'
import { anchorAuditLog } from './audit/audit-anchors.server.ts'
import { officeActions, officeSubjects } from './audit/audit-event.ts'
import { checkAuditLog, readAuditProblems } from './audit/check-audit-log.server.ts'
import { deleteOldAuditEvents } from './audit/delete-old-events.server.ts'
import type { Contributions } from './contributions.ts'
import { officeChecks } from './doctor-checks.server.ts'

export const officeContributions: Contributions<OfficeApp> = {
  auditActions: officeActions,
  auditSubjects: officeSubjects,
  jobs: [
    { name: 'office.delete-old-alarms', cron: '17 * * * *', work: deleteOldAlarms },
    { name: 'office.anchor-audit-log', cron: '* * * * *', work: anchorAuditLog },
    {
      name: 'office.delete-old-audit-events',
      cron: '27 4 * * *',
      work: async (app) => void (await deleteOldAuditEvents(app)),
    },
    { name: 'office.check-audit-log', cron: '41 4 * * *', work: checkAuditLog },
  ],
  onServing: [(app) => anchorOnce(app, 'The audit log could not be anchored at the start.')],
  onStop: [(app) => anchorOnce(app, 'The audit log could not be anchored at the stop.')],
  doctorChecks: officeChecks,
  metrics: [signatureMetrics],
  adminHome: { problems: { alarms: readAlarms, 'audit-log': readAuditProblems } },
}

async function anchorOnce(app: OfficeApp, failure: string): Promise<void> {
  await anchorAuditLog(app).catch((error: unknown) => app.log.error({ err: error }, failure))
}
