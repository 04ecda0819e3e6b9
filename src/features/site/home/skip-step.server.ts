import { defineError } from '../../../platform/errors.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { features } from '../features.server.ts'

export const noSuchStep = defineError({
  code: 'step.not_found',
  status: 404,
  sentence: 'There is no such first step.',
  remedy: 'Load the page again.',
})

/** The reasons of the first steps that were skipped, by the names of the steps. */
export async function readSkippedSteps({ db }: Pick<SiteApp, 'db'>): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('skipped_steps').selectAll().execute()
  return new Map(rows.map(({ name, note }) => [name, note]))
}

/**
 * Skips a first step, or writes another reason for it. The same once more changes nothing.
 * @throws {AppError} `step.not_found`, 404
 */
export async function skipStep(
  { db }: Pick<SiteApp, 'db'>,
  viewer: Viewer,
  { name, note }: { name: string; note: string },
): Promise<void> {
  const isKnown = features.some(({ adminHome }) => adminHome?.firstSteps?.some((step) => step.name === name))
  if (!isKnown) throw noSuchStep()
  await db.transaction().execute(async (trx) => {
    const written = await trx
      .insertInto('skipped_steps')
      .values({ name, note })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ note }).where('skipped_steps.note', '<>', note))
      .returning('name')
      .executeTakeFirst()
    if (written === undefined) return
    await recordAuditEvent(trx, {
      action: 'step.skipped',
      by: { memberId: requireMember(viewer).id },
      details: { step: name },
    })
  })
}

/** Takes a skipped step back. One that is not skipped stays as it is. */
export async function resumeStep({ db }: Pick<SiteApp, 'db'>, viewer: Viewer, name: string): Promise<void> {
  // No text of the database holds this sign.
  if (name.includes('\0')) return
  await db.transaction().execute(async (trx) => {
    const gone = await trx.deleteFrom('skipped_steps').where('name', '=', name).returning('name').executeTakeFirst()
    if (gone === undefined) return
    await recordAuditEvent(trx, {
      action: 'step.resumed',
      by: { memberId: requireMember(viewer).id },
      details: { step: name },
    })
  })
}
