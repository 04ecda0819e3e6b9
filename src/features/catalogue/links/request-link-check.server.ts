import { sql } from 'kysely'
import { defineError } from '../../../platform/errors.ts'
import { isoOf } from '../../../platform/time/iso-of.ts'
import type { CatalogueApp } from '../app.ts'
import { checkMoreLinksJob } from './check-links.server.ts'

/**
 * Moves one link to the front and has the checks run at once.
 * @throws {AppError} `item.link_not_found`, 404; `links.off`, 409, where no links are checked by the clock;
 * `links.host_paused`, 409, during a pause that the host has asked for
 */
export async function requestLinkCheck(
  { db, clock, config, jobs, rehearsal }: Pick<CatalogueApp, 'db' | 'clock' | 'config' | 'jobs' | 'rehearsal'>,
  { id }: { id: number },
): Promise<void> {
  if (!config.checksLinks || rehearsal.isOn) {
    throw linkChecksOff()
  }
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    // An administrator does not wait until the network is tried again by the clock. This row comes first, as where links
    // are gathered: in another order the two could wait for each other for ever.
    await trx.updateTable('link_work').set({ resume_at: null }).execute()
    const link = await trx
      .selectFrom('link_checks as c')
      .leftJoin('paused_hosts as p', 'p.host', 'c.host')
      .select('p.paused_until')
      .where('c.id', '=', id)
      .executeTakeFirst()
    if (link === undefined) throw noSuchLink()
    const msLeft = (link.paused_until?.getTime() ?? 0) - now
    if (msLeft > 0) {
      throw hostPaused({ retryAfterSeconds: msLeft / 1_000 })
    }
    await trx
      .updateTable('link_checks')
      .set({ front_at: sql<Date>`coalesce(front_at, ${isoOf(now)}::timestamptz)` })
      .where('id', '=', id)
      .execute()
    await jobs.add(trx, checkMoreLinksJob, {})
  })
}

export const noSuchLink = defineError({
  code: 'item.link_not_found',
  status: 404,
  sentence: 'There is no such link.',
  remedy: 'Take the slug and the slot from the details of an item.',
})

export const linkChecksOff = defineError({
  code: 'links.off',
  status: 409,
  sentence: 'Links are not checked: LINK_CHECKS is off. The command check-links checks them once.',
  remedy: 'Set LINK_CHECKS to on, or use the command.',
})

export const hostPaused = defineError({
  code: 'links.host_paused',
  status: 409,
  sentence: 'The host of this link has asked for a pause. The link is checked after that.',
  remedy: 'Wait as long as `Retry-After` says.',
})
