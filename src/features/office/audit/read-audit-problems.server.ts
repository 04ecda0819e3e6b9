import type { OfficeApp } from '../app.ts'
import type { Problem } from '../contributions.ts'

/** The findings of the last check of the audit log. */
export async function readAuditProblems({ db }: Pick<OfficeApp, 'db'>): Promise<Problem[]> {
  const check = await db.selectFrom('audit_checks').select(['checked_at', 'faults']).executeTakeFirst()
  const [first] = check?.faults ?? []
  if (check === undefined || first === undefined) return []
  return [{ sentence: `The audit log is not whole. ${first.sentence}`, since: check.checked_at, to: '/admin/audit' }]
}
