import type { OfficeApp } from '../app.ts'
import type { Problem } from '../contributions.ts'
import { verifyAuditLog } from './verify-audit-log.server.ts'

/**
 * The nightly check of the audit log. Its findings stand on the home of the administration, and in the log of the site.
 */
export async function checkAuditLog(app: Pick<OfficeApp, 'db' | 'config' | 'clock' | 'log'>): Promise<void> {
  const { events, faults } = await verifyAuditLog(app)
  const found = { checked_at: new Date(app.clock.now()), events, faults: JSON.stringify(faults) }
  await app.db
    .insertInto('audit_checks')
    .values(found)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(found))
    .execute()
  if (faults.length > 0) app.log.error({ events, faults }, 'The audit log is not whole.')
}

/** The findings of the last check of the audit log. */
export async function readAuditProblems({ db }: Pick<OfficeApp, 'db'>): Promise<Problem[]> {
  const check = await db.selectFrom('audit_checks').select(['checked_at', 'faults']).executeTakeFirst()
  const [first] = check?.faults ?? []
  if (check === undefined || first === undefined) return []
  return [{ sentence: `The audit log is not whole. ${first.sentence}`, since: check.checked_at, to: '/admin/audit' }]
}
