import { sql, type Transaction } from 'kysely'
import { defineError } from '../../../platform/errors.ts'
import { isoOf } from '../../../platform/time/iso-of.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { checkMoreLinksJob } from './check-links.server.ts'

type App = Pick<CatalogueApp, 'db' | 'clock' | 'config' | 'jobs' | 'rehearsal'>

/**
 * Moves one link to the front and has it checked at once, also where no links are checked by the clock.
 * @throws {AppError} `item.link_not_found`, 404; `links.off`, 409, in a rehearsal; `links.host_paused`, 409, during a pause
 * that the host has asked for
 */
export async function requestLinkCheck(app: App, { id }: { id: number }): Promise<void> {
  const now = app.clock.now()
  await request(app, 'front', async (trx) => {
    const link = await trx
      .selectFrom('link_checks as c')
      .leftJoin('paused_hosts as p', 'p.host', 'c.host')
      .select('p.paused_until')
      .where('c.id', '=', id)
      .executeTakeFirst()
    if (link === undefined) throw noSuchLink()
    const msLeft = (link.paused_until?.getTime() ?? 0) - now
    if (msLeft > 0) throw hostPaused({ retryAfterSeconds: msLeft / 1_000 })
    await trx
      .updateTable('link_checks')
      .set({ front_at: sql<Date>`coalesce(front_at, ${isoOf(now)}::timestamptz)` })
      .where('id', '=', id)
      .execute()
  })
}

/**
 * Has everything that is due checked at once: every link that was never checked, and those whose time has come.
 * @throws {AppError} `links.off`, 409, in a rehearsal
 */
export async function requestDueChecks(app: App): Promise<void> {
  await request(app, 'due')
}

async function request(
  { db, config, jobs, rehearsal }: App,
  choice: 'due' | 'front',
  mark?: (trx: Transaction<CatalogueDatabase>) => Promise<void>,
): Promise<void> {
  if (rehearsal.isOn) throw linkChecksOff()
  await db.transaction().execute(async (trx) => {
    // An administrator does not wait until the network is tried again by the clock. This row comes first, as where links
    // are gathered: in another order the two could wait for each other for ever.
    await trx.updateTable('link_work').set({ resume_at: null }).execute()
    await mark?.(trx)
    // By the clock the rest follows.
    await jobs.add(trx, checkMoreLinksJob, config.checksLinks ? {} : { requested: choice })
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
  sentence: 'This is a rehearsal, in which no links are checked.',
  remedy: 'End the rehearsal first.',
})

export const hostPaused = defineError({
  code: 'links.host_paused',
  status: 409,
  sentence: 'The host of this link has asked for a pause. The link is checked after that.',
  remedy: 'Wait as long as `Retry-After` says.',
})
