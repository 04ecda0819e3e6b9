import { sql, type Transaction } from 'kysely'
import { isoOf } from '../../../platform/time/iso-of.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { LinkSlot } from '../item/link-slots.ts'
import { lockCatalogue } from '../publishing/save-items.server.ts'
import { recordLinkChanges } from './record-link-changes.server.ts'

/** In one transaction, for which edits of administrators wait (docs/spec/performance.md#p19). */
const itemsInStep = 100
/** More changes than these are found sooner by going through the catalogue. */
const maxChanges = 1_000

/**
 * Brings the checked links in line with those of published items: new and changed ones are due at once, unused ones are
 * deleted. It follows the change feed, or scans the whole catalogue if the feed does not reach back far enough. The
 * next call continues finished work.
 * @param isOver asked between two batches
 * @returns whether all is gathered
 */
export async function gatherLinks(
  app: Pick<CatalogueApp, 'db' | 'clock'>,
  isOver: () => boolean = () => false,
): Promise<boolean> {
  for (;;) {
    if (await gatherSome(app)) return true
    if (isOver()) return false
  }
}

/** The version up to which all is gathered; undefined while the catalogue is gone through. */
export async function readGathered({ db }: Pick<CatalogueApp, 'db'>): Promise<string | undefined> {
  const work = await db.selectFrom('link_work').select(['gathered_version', 'sweep_no']).executeTakeFirstOrThrow()
  return work.sweep_no === null ? work.gathered_version : undefined
}

/** @returns whether nothing is left to do */
async function gatherSome(app: Pick<CatalogueApp, 'db' | 'clock'>): Promise<boolean> {
  const { db } = app
  const { version, gathered, sweep_no } = await readWork(db)
  if (sweep_no !== null) {
    await sweepSome(app)
    return false
  }
  if (gathered === version) return true
  const changed = await changedNumbers(db, Number(gathered), Number(version))
  for (let at = 0; at < (changed?.length ?? 0); at += itemsInStep) {
    await db.transaction().execute(async (trx) => {
      await lockCatalogue(trx)
      await matchLinks(app, trx, changed?.slice(at, at + itemsInStep) ?? [])
    })
  }
  // Parts that are done twice, here or by another process, find nothing to do.
  await db
    .updateTable('link_work')
    .set({ gathered_version: Number(version), ...(changed === undefined ? { sweep_no: 0 } : {}) })
    .where('gathered_version', '=', gathered)
    .where('sweep_no', 'is', null)
    .execute()
  return false
}

/** Goes on through the catalogue. */
async function sweepSome(app: Pick<CatalogueApp, 'db' | 'clock'>): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const { sweep_no } = await trx.selectFrom('link_work').select('sweep_no').forUpdate().executeTakeFirstOrThrow()
    // Another process has come to its end.
    if (sweep_no === null) return
    const numbers = await numbersAfter(trx, sweep_no)
    await matchLinks(app, trx, numbers, { from: sweep_no })
    await trx
      .updateTable('link_work')
      .set({ sweep_no: numbers.at(-1) ?? null })
      .execute()
  })
}

async function readWork(
  db: CatalogueApp['db'],
): Promise<{ version: string; gathered: string; sweep_no: number | null }> {
  const { rows } = await sql<{ version: string; gathered: string; sweep_no: number | null }>`
    select s.version, w.gathered_version as gathered, w.sweep_no
      from catalogue_state s cross join link_work w`.execute(db)
  const [work] = rows
  if (work === undefined) throw new Error('The table link_work has lost its row.')
  return work
}

async function numbersAfter(trx: Transaction<CatalogueDatabase>, no: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('items')
    .select('no')
    .where('no', '>', no)
    .orderBy('no')
    .limit(itemsInStep)
    .execute()
  return rows.map((row) => row.no)
}

/** The items that have changed between two versions; undefined when there are too many, or the feed does not know. */
async function changedNumbers(db: CatalogueApp['db'], after: number, until: number): Promise<number[] | undefined> {
  const changes = await db
    .selectFrom('catalogue_changes')
    .select(['version', 'item_no', 'links_only'])
    .where('version', '>', String(after) as never)
    .where('version', '<=', String(until) as never)
    .limit(maxChanges + 1)
    .execute()
  const versions = new Set(changes.map(({ version }) => version))
  if (changes.length > maxChanges || versions.size !== until - after) return undefined
  const numbers = new Set<number>()
  for (const { item_no, links_only } of changes) {
    if (item_no === null) return undefined
    if (!links_only) numbers.add(item_no)
  }
  return [...numbers]
}

interface FoundLink {
  no: number
  slot: LinkSlot
  address: string
}

/** The addresses in the slots of published items. */
const wanted = sql`
  select i.no, s.slot, s.address
    from items i
   cross join lateral (values ('link', i.link), ('link2', i.link2), ('linkG', i.link_g), ('linkP', i.link_p),
     ('linkMV1', i.link_mv1), ('linkMV2', i.link_mv2), ('linkMV3', i.link_mv3), ('linkMV4', i.link_mv4)) s(slot, address)
   where i.status = 'published' and s.address is not null`

/**
 * Makes the rows of these items equal to what they hold.
 * @param numbers of the items, in their order
 * @param options.from also deletes the rows of all other items above this number, up to the last of `numbers`; without any
 *   number, of all above it
 */
async function matchLinks(
  app: Pick<CatalogueApp, 'clock'>,
  trx: Transaction<CatalogueDatabase>,
  numbers: readonly number[],
  { from }: { from?: number } = {},
): Promise<void> {
  if (from === undefined && numbers.length === 0) return
  // The first steps make plans for tables that are nearly empty, and the session goes on with them, those of the foreign key too:
  // each step would read all links that were gathered before it. A table that can only be read whole seems so dear then that
  // PostgreSQL would compile the statement.
  await sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`.execute(trx)
  const isLooked =
    from === undefined
      ? sql<boolean>`item_no = any(${numbers}::int[])`
      : sql<boolean>`item_no > ${from}::int and (${numbers.at(-1) ?? null}::int is null or item_no <= ${numbers.at(-1) ?? null}::int)`
  const { rows: gone } = await sql<{ link_id: number }>`
    delete from item_links
     where ${isLooked}
       and not exists (select from (${wanted} and i.no = any(${numbers}::int[])) w join link_checks c on c.digest = md5(w.address)
                        where w.no = item_links.item_no and w.slot = item_links.slot and c.id = item_links.link_id)
    returning link_id`.execute(trx)
  const { rows: found } = await sql<FoundLink>`
    select w.no, w.slot, w.address
      from (${wanted} and i.no = any(${numbers}::int[])) w
     where not exists (select from item_links l where l.item_no = w.no and l.slot = w.slot)
     order by w.no, w.slot`.execute(trx)
  await addLinks(app, trx, found)
  if (gone.length > 0) {
    await sql`
      delete from link_checks c
       where id = any(${gone.map(({ link_id }) => link_id)}::int[])
         and not exists (select from item_links l where l.link_id = c.id)`.execute(trx)
  }
}

async function addLinks(
  { clock }: Pick<CatalogueApp, 'clock'>,
  trx: Transaction<CatalogueDatabase>,
  found: readonly FoundLink[],
): Promise<void> {
  if (found.length === 0) return
  const addresses = [...new Set(found.map(({ address }) => address))]
  await sql`
    insert into link_checks (address, host, next_check_at)
    select address, host, ${isoOf(clock.now())}::timestamptz
      from unnest(${addresses}::text[], ${addresses.map((address) => URL.parse(address)?.hostname ?? '')}::text[]) as given(address, host)
        on conflict (digest) do nothing`.execute(trx)
  const { rows: added } = await sql<{ item_no: number; checked_at: Date | null }>`
    with added as (
      insert into item_links (item_no, slot, link_id)
      select given.no, given.slot, c.id
        from unnest(${found.map(({ no }) => no)}::int[], ${found.map(({ slot }) => slot)}::text[],
                    ${found.map(({ address }) => address)}::text[]) as given(no, slot, address)
        join link_checks c on c.digest = md5(given.address)
      returning item_no, link_id)
    select added.item_no, c.checked_at from added join link_checks c on c.id = added.link_id`.execute(trx)
  // Another item has the same address: its state is known already.
  const known = added.flatMap(({ item_no, checked_at }) => (checked_at === null ? [] : [item_no]))
  await recordLinkChanges(trx, [...new Set(known)])
}
