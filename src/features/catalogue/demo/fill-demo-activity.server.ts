import { type Insertable, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { gatherLinks } from '../links/gather-links.server.ts'
import { fileHostOf, siteOf } from '../item/file-hosts.ts'

const dayMs = 86_400_000
const days = 90

/** Numbers from 0 to 1 that are the same at every start (mulberry32). */
function fixedNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The texts that nobody has found, the most frequent first. */
const missedTexts = {
  free: [
    'dune',
    'the hobbit',
    'harry potter',
    'brave new world',
    '三体',
    'foundation asimov',
    'narnia',
    'kafka amerika',
  ],
  vip: ['borges', 'le guin', '村上春樹', 'pale fire'],
} as const

type Filling = Pick<CatalogueApp, 'db' | 'clock' | 'config'>

/**
 * Fills in downloads and searches without a result of the last ninety days, and what checks of the links have found: all work
 * but one mirror. Downloads are written last and in one transaction with the rest: where there is one, nothing is done.
 */
export async function fillDemoActivity(app: Filling): Promise<void> {
  const known = await app.db.selectFrom('download_events').select('id').limit(1).executeTakeFirst()
  if (known !== undefined) return
  await gatherLinks(app)
  const downloads = await makeDownloads(app)
  await app.db.transaction().execute(async (trx) => {
    await setLinkStates(app, trx)
    await trx
      .insertInto('search_misses')
      .values(makeMisses(app))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    // Works that a second person has to verify first cannot be downloaded yet.
    if (downloads.length > 0) await trx.insertInto('download_events').values(downloads).execute()
  })
}

interface Downloaded {
  id: string
  content_type: string
  slot: string
  address: string
}

/** More on working days than at weekends, ever more as time goes on, and most of them of a few works. */
async function makeDownloads({
  db,
  clock,
  config,
}: Filling): Promise<Insertable<CatalogueDatabase['download_events']>[]> {
  const { rows } = await sql<Downloaded>`
    select i.id, i.content_type, l.slot, c.address
      from items i join item_links l on l.item_no = i.no join link_checks c on c.id = l.link_id
     where i.status = 'published' and i.post_date <= ${new Date(clock.now())}
     order by i.external_id, l.slot`.execute(db)
  const next = fixedNumbers(21)
  const made: Insertable<CatalogueDatabase['download_events']>[] = []
  for (let daysAgo = days - 1; daysAgo >= 0; daysAgo -= 1) {
    const at = clock.now() - daysAgo * dayMs
    const weekday = new Date(at).getUTCDay()
    const count = Math.round((8 + (days - daysAgo) / 9) * (weekday % 6 === 0 ? 0.6 : 1) * (0.8 + next() * 0.4))
    for (let n = 0; n < count; n += 1) {
      const row = rows[Math.floor(next() ** 3 * rows.length)]
      if (row === undefined) continue
      made.push({
        id: uuidv7(),
        item_id: row.id,
        slot: row.slot,
        host: fileHostOf(row.address, config.fileHosts)?.label ?? siteOf(row.address),
        tier: row.content_type.startsWith('vip') || next() < 0.3 ? 'vip' : 'free',
        day: dayOf(at, config.timeZone),
        user_id: null,
      })
    }
  }
  return made
}

function makeMisses({ clock, config }: Pick<Filling, 'clock' | 'config'>) {
  const next = fixedNumbers(22)
  const made: { day: string; tier: 'free' | 'vip'; text: string; searches: number }[] = []
  for (const tier of ['free', 'vip'] as const) {
    for (const [place, text] of missedTexts[tier].entries()) {
      for (let daysAgo = place; daysAgo < days; daysAgo += 3 + 2 * place) {
        const day = dayOf(clock.now() - daysAgo * dayMs, config.timeZone)
        made.push({ day, tier, text, searches: 1 + Math.floor(next() * 4) })
      }
    }
  }
  return made
}

/** Checked in the days before, so that the checks of a trial come one after the other and not all at its first start. */
async function setLinkStates({ clock }: Pick<Filling, 'clock'>, db: CatalogueApp['db']): Promise<void> {
  const now = new Date(clock.now())
  await sql`
    update link_checks
       set state = 'ok', reason = 'http', status = 200,
           checked_at = ${now}::timestamptz - (1 + id * 37 % 140) * interval '1 hour',
           next_check_at = ${now}::timestamptz + (24 + id * 53 % 144) * interval '1 hour'
     where state = 'unknown'`.execute(db)
  // A further mirror of its host: the entry stays available.
  await sql`
    update link_checks
       set state = 'dead', failures = 2, status = 404, next_check_at = ${now}::timestamptz + interval '20 hours'
     where id = (select l.link_id from item_links l join items i on i.no = l.item_no
                  where l.slot = 'linkMV3' and i.content_type = 'western' and i.post_date <= ${now}
                    and exists (select from item_links g where g.item_no = l.item_no and g.slot = 'linkG')
                  order by i.external_id limit 1)`.execute(db)
}
