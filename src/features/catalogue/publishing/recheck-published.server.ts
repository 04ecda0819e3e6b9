import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { Attempt, JobData } from '../../../platform/jobs/jobs.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { readBlockedLinks } from './blocked-links.server.ts'
import { type ChangeableItem, readChangeableItems } from './changeable-items.server.ts'
import { findRefusals, type GateRules, gateRules, type Refusal } from './publication-checks.ts'
import { readProhibitedTerms } from './read-prohibited-terms.server.ts'
import { recordRestrictions } from './record-restrictions.server.ts'
import { lockCatalogue } from './save-items.server.ts'

type RecheckApp = Pick<CatalogueApp, 'db' | 'config' | 'jobs' | 'log'>

/** The step of the nightly re-check: it goes on after the item that the one before ended with. */
export const recheckPublishedJob = 'catalogue.recheck-published-step'

/** The gate looks at these without a pause: no request waits for longer than some 50 ms. */
const itemsAtOnce = 200
/** A step takes no longer: other work has its turn in between. */
const stepMs = 10_000

/** Begins the nightly re-check. */
export async function beginRecheck({ db, jobs }: Pick<CatalogueApp, 'db' | 'jobs'>): Promise<void> {
  await jobs.add(db, recheckPublishedJob, {})
}

/**
 * Asks the gate anew about everything that is published, some hundred items at a time, and restricts what does not pass any
 * more (docs/spec/publishing.md#recheck). After some seconds the rest is put in line.
 */
export async function recheckPublished(
  app: RecheckApp,
  { after = 0 }: JobData,
  { isStopping }: Pick<Attempt, 'isStopping'>,
  { forMs = stepMs, atOnce = itemsAtOnce }: { forMs?: number; atOnce?: number } = {},
): Promise<void> {
  const until = performance.now() + forMs
  // Items that were published without a second person stay: their next clearing anew needs one.
  const terms = await readProhibitedTerms(app.db)
  const rulesFor: RulesFor = async (db, items) =>
    gateRules(
      { ...app.config, requiresSecondPerson: false },
      terms,
      await readBlockedLinks(
        db,
        items.map(({ item }) => item),
      ),
    )
  for (let last = Number(after); ;) {
    const items = await readChangeableItems(
      app.db,
      (where) => where.and([where('items.status', '=', 'published'), where('items.no', '>', last)]),
      atOnce,
    )
    const refused = await findRefused(app.db, items, rulesFor)
    if (refused.length > 0) await restrict(app, refused, rulesFor)
    if (items.length < atOnce) return
    last = items.at(-1)?.no ?? last
    if (performance.now() > until || isStopping()) {
      await app.jobs.add(app.db, recheckPublishedJob, { after: last })
      return
    }
  }
}

/** The rules of the gate for these items. */
type RulesFor = (db: Queryable<CatalogueDatabase>, items: readonly ChangeableItem[]) => Promise<GateRules>

interface Refused {
  item: ChangeableItem
  refusals: Refusal[]
}

/** By the clock of the database, which restricts what has lapsed. */
async function findRefused(
  db: Queryable<CatalogueDatabase>,
  items: readonly ChangeableItem[],
  rulesFor: RulesFor,
): Promise<Refused[]> {
  const rules = await rulesFor(db, items)
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
  const now = rows[0]?.now.getTime() ?? Number.NaN
  return items.flatMap((item) => {
    // A notice that is open and does not hide it leaves it on the site.
    const hold = item.hold?.hides === true ? item.hold : null
    const refusals = findRefusals({ ...item, hold }, rules, now)
    return refusals.length === 0 ? [] : [{ item, refusals }]
  })
}

async function restrict(app: RecheckApp, found: readonly Refused[], rulesFor: RulesFor): Promise<void> {
  const numbers = found.map(({ item }) => item.no)
  const restricted = await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    // Nobody writes any more: what was mended meanwhile stays.
    const items = await readChangeableItems(
      trx,
      (where) => where.and([where('items.status', '=', 'published'), sql<boolean>`items.no = any(${numbers}::int[])`]),
      numbers.length,
    )
    const refused = await findRefused(trx, items, rulesFor)
    const restrictions = refused.map(({ refusals }) => restrictionBy(refusals))
    await sql`
      update items i set status = 'restricted', restriction = given.restriction, updated_at = now()
        from unnest(${refused.map(({ item }) => item.no)}::int[], ${restrictions}::text[]) as given (no, restriction)
       where i.no = given.no`.execute(trx)
    await recordRestrictions(
      trx,
      refused.map(({ item: { id, slug, item }, refusals }) => ({
        id,
        slug,
        name: item.name,
        restriction: restrictionBy(refusals),
        reasons: refusals.map(({ code }) => code),
      })),
    )
    return refused
  })
  if (restricted.length === 0) return
  app.log.warn(
    { slugs: restricted.map(({ item }) => item.slug) },
    'Items were restricted: they do not pass the gate any more.',
  )
}

/** Time, consents and notices have reasons of their own. */
export function restrictionBy(refusals: readonly Refusal[]): 'rights_lapsed' | 'consent' | 'gate' | 'notice' {
  if (refusals.some(({ code }) => code.startsWith('notice.'))) return 'notice'
  const every = (isOne: (code: string) => boolean): boolean => refusals.every(({ code }) => isOne(code))
  if (every((code) => code === 'rights.expired')) return 'rights_lapsed'
  return every((code) => code.startsWith('consent.')) ? 'consent' : 'gate'
}
