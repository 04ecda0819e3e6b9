import { sql } from 'kysely'
import { AppError } from '../../../platform/errors.ts'
import { isoOf } from '../../../platform/time/iso-of.ts'
import type { CatalogueApp } from '../app.ts'
import { moreLinks } from '../links/check-jobs.ts'

/**
 * Moves one link to the front and has the checks run at once.
 * @throws {AppError} `item.link_not_found`, 404; `links.off`, 409, where no links are checked by the clock
 */
export async function requestLinkCheck(
  { db, clock, config, jobs }: Pick<CatalogueApp, 'db' | 'clock' | 'config' | 'jobs'>,
  { id }: { id: string },
): Promise<void> {
  if (!config.checksLinks) {
    throw new AppError({
      code: 'links.off',
      status: 409,
      message: 'Links are not checked: LINK_CHECKS is off. The command check-links checks them once.',
    })
  }
  const number = /^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0
  await db.transaction().execute(async (trx) => {
    const moved = await trx
      .updateTable('link_checks')
      .set({ front_at: sql<Date>`coalesce(front_at, ${isoOf(clock.now())}::timestamptz)` })
      .where('id', '=', number)
      .executeTakeFirst()
    if (moved.numUpdatedRows === 0n) {
      throw new AppError({ code: 'item.link_not_found', status: 404, message: 'There is no such link.' })
    }
    await jobs.add(trx, moreLinks, {})
  })
}
