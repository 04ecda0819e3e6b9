import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import { type Attempt, defineJob } from '../../../platform/jobs/job.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { type Restriction, restrictPublished } from './change-status.server.ts'
import { findStoredRefusals, readProhibitedTerms } from './read-gate.server.ts'
import type { Refusal } from './publication-checks.ts'
import { lockCatalogue } from './save-items.server.ts'
import { type ChangeableItem, readChangeableItems } from './stored-item.server.ts'

type RecheckApp = Pick<CatalogueApp, 'db' | 'config' | 'jobs' | 'log'>

/** The step of the nightly re-check: it goes on after the item that the one before ended with. */
export const recheckPublishedJob = defineJob<{ after?: number }>('catalogue.recheck-published-step')

/** The gate looks at these without a pause, and restricts them in one transaction: no request and no edit waits for long. */
const itemsAtOnce = 100
/** A step takes no longer: other work has its turn in between. */
const stepMs = 10_000

export async function beginRecheck({ db, jobs }: Pick<CatalogueApp, 'db' | 'jobs'>): Promise<void> {
  await jobs.add(db, recheckPublishedJob, {})
}

/**
 * Asks the gate anew about everything that is published, some hundred items at a time, and restricts what does not pass any
 * more (docs/spec/publishing.md#recheck). After some seconds the rest is put in line.
 */
export async function recheckPublished(
  app: RecheckApp,
  { after = 0 }: { after?: number },
  { isStopping }: Pick<Attempt, 'isStopping'>,
  { forMs = stepMs, atOnce = itemsAtOnce }: { forMs?: number; atOnce?: number } = {},
): Promise<void> {
  const until = performance.now() + forMs
  // Items that were published without a second person stay: their next clearing anew needs one.
  const config = { ...app.config, requiresSecondPerson: false }
  const terms = await readProhibitedTerms(app.db)
  const ask: AskGate = async (db, items) => {
    // A notice that is open and does not hide an item leaves it on the site.
    const asked = items.map((item) => ({ ...item, hold: item.hold?.hides === true ? item.hold : null }))
    const refusals = await findStoredRefusals(config, db, asked, terms)
    return items.flatMap(({ id, no }) => {
      const reasons = refusals.get(id) ?? []
      return reasons.length === 0
        ? []
        : [{ id, no, restriction: restrictionBy(reasons), reasons: reasons.map(({ code }) => code) }]
    })
  }
  for (let last = after; ;) {
    const items = await readChangeableItems(
      app.db,
      (where) => where.and([where('items.status', '=', 'published'), where('items.no', '>', last)]),
      atOnce,
    )
    const refused = await ask(app.db, items)
    if (refused.length > 0) await restrict(app, refused, ask)
    if (items.length < atOnce) return
    last = items.at(-1)?.no ?? last
    if (performance.now() > until || isStopping()) {
      await app.jobs.add(app.db, recheckPublishedJob, { after: last })
      return
    }
  }
}

interface Refused {
  id: string
  no: number
  restriction: Restriction
  reasons: string[]
}

type AskGate = (db: Queryable<CatalogueDatabase>, items: readonly ChangeableItem[]) => Promise<Refused[]>

async function restrict(app: RecheckApp, found: readonly Refused[], ask: AskGate): Promise<void> {
  const numbers = found.map(({ no }) => no)
  const restricted = await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    // Nobody writes any more: what was mended meanwhile stays.
    const items = await readChangeableItems(
      trx,
      (where) => where.and([where('items.status', '=', 'published'), sql<boolean>`items.no = any(${numbers}::int[])`]),
      numbers.length,
    )
    const refused = await ask(trx, items)
    await restrictPublished(trx, refused)
    const isRefused = new Set(refused.map(({ id }) => id))
    return items.flatMap(({ id, slug }) => (isRefused.has(id) ? [slug] : []))
  })
  if (restricted.length === 0) return
  app.log.warn({ slugs: restricted }, 'Items were restricted: they do not pass the gate any more.')
}

/** Time, consents and notices have reasons of their own. */
export function restrictionBy(refusals: readonly Refusal[]): Restriction {
  if (refusals.some(({ code }) => code.startsWith('notice.'))) return 'notice'
  const every = (isOne: (code: string) => boolean): boolean => refusals.every(({ code }) => isOne(code))
  if (every((code) => code === 'rights.expired')) return 'rights_lapsed'
  return every((code) => code.startsWith('consent.')) ? 'consent' : 'gate'
}
