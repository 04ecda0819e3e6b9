import { sql } from 'kysely'
import { withLock } from '../../../db/locks.ts'
import {
  fillDemoAccounts,
  hasDemoAdministrator,
  hasOtherAccounts,
} from '../../accounts/demo/fill-demo-accounts.server.ts'
import { fillDemoActivity } from '../../catalogue/demo/fill-demo-activity.server.ts'
import { fillDemoCatalogue } from '../../catalogue/demo/fill-demo-catalogue.server.ts'
import type { PlayPast } from '../../membership/demo/demo-purchases.server.ts'
import { fillDemoConversions, fillDemoPurchases } from '../../membership/demo/fill-demo-purchases.server.ts'
import { grantDemoVip } from '../../membership/demo/grant-demo-vip.server.ts'
import { fillDemoNotices } from '../../notices/demo/fill-demo-notices.server.ts'
import { fillDemoInbox } from '../../requests/demo/fill-demo-inbox.server.ts'
import type { SiteApp } from '../app.ts'

/** Entries that the demo's past is about, by their slugs. */
const entries = {
  fulfilling: 'peter-pan',
  noticed: {
    open: 'the-voyage-out',
    kept: 'daisy-miller-a-study',
    removed: 'the-count-of-monte-cristo',
  },
  bought: [
    'jane-eyre-an-autobiography',
    'the-war-of-the-worlds',
    'a-study-in-scarlet',
    'great-expectations',
    'the-castle-of-otranto',
    'heidi',
    'kalevala',
  ],
} as const

/** The parts of the demo, in their order. Each is filled in once, also when a start was cut short. */
const parts = {
  catalogue: fillDemoCatalogue,
  people: fillDemoAccounts,
  inbox: (app) => fillDemoInbox(app, { fulfilledBy: entries.fulfilling }),
  notices: (app) => fillDemoNotices(app, entries.noticed),
  activity: async (app) => {
    await fillDemoActivity(app)
    await fillDemoConversions(app, entries.bought)
  },
} as const satisfies Record<string, (app: SiteApp) => Promise<void>>

/** A part that waits until the sandbox runs. */
const purchases = 'purchases'

/**
 * Notes that an empty database is to hold the demo, before the start makes the first administrator in it. A public site gets
 * the catalogue alone: there are no accounts whose past it could be. Does nothing where the settings want no demo.
 */
export async function beginDemo(app: SiteApp): Promise<void> {
  if (!app.config.demo) return
  // Skipped parts are recorded as done: they must not appear later in a site that is used by then.
  const skipped = app.config.hasDemoAccounts
    ? []
    : [...Object.keys(parts).filter((name) => name !== 'catalogue'), purchases]
  await alone(app, async () => {
    if (!(await isUnused(app))) return
    await app.db
      .insertInto('demo')
      .values({ filled: skipped })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/**
 * Fills in the demo that was begun (docs/spec/operations.md#demo), or what is left of it. Does nothing where the settings want
 * no demo, or where somebody is there whom neither the demo nor `ADMIN_EMAIL` has made.
 */
export async function fillDemo(app: SiteApp): Promise<void> {
  if (app.config.demo) await alone(app, () => fillParts(app))
  app.demo.isHere = await holdsDemo(app)
}

async function fillParts(app: SiteApp): Promise<void> {
  if (!(await holdsDemo(app)) || (await hasOtherAccounts(app))) return
  for (const [name, fill] of Object.entries(parts)) {
    if (await mayFill(app, name)) await fillOnce(app, name, () => fill(app))
  }
}

/** A start that was cut short may be followed by one with other settings, or the demo's administrator may be gone. */
async function mayFill(app: SiteApp, name: string): Promise<boolean> {
  if (name === 'catalogue') return true
  if (!app.config.hasDemoAccounts) return false
  return name === 'people' || hasDemoAdministrator(app)
}

/**
 * Lets the demo's members buy their memberships: in the sandbox where it runs, else the demo's VIP is granted a year.
 * @param playPast plays it in the sandbox; undefined where there is none yet
 */
export async function fillDemoMemberships(app: SiteApp, playPast: PlayPast | undefined): Promise<void> {
  if (!app.demo.isHere || !app.config.hasDemoAccounts) return
  if (playPast === undefined) {
    await grantDemoVip(app)
    return
  }
  try {
    await alone(app, () => fillOnce(app, purchases, () => fillDemoPurchases(app, playPast)))
  } catch (error) {
    // The site can be looked at without them.
    app.log.error({ err: error }, "The demo's memberships could not be bought. The next start tries again.")
  }
}

async function fillOnce(app: SiteApp, name: string, fill: () => Promise<void>): Promise<void> {
  const demo = await app.db.selectFrom('demo').select('filled').executeTakeFirst()
  if (demo === undefined || demo.filled.includes(name)) return
  await fill()
  await app.db
    .updateTable('demo')
    .set({ filled: sql<string[]>`array_append(filled, ${name}::text)` })
    .execute()
}

async function holdsDemo({ db }: Pick<SiteApp, 'db'>): Promise<boolean> {
  return (await db.selectFrom('demo').select('only_row').executeTakeFirst()) !== undefined
}

/** Whether there is nothing that an operator, a member or a visitor has made. */
async function isUnused({ db }: Pick<SiteApp, 'db'>): Promise<boolean> {
  const found = await Promise.all([
    db.selectFrom('users').select('id').limit(1).execute(),
    db.selectFrom('items').select('id').limit(1).execute(),
    db.selectFrom('notices').select('id').limit(1).execute(),
    db.selectFrom('inquiries').select('id').limit(1).execute(),
  ])
  return found.every((rows) => rows.length === 0)
}

/** Processes that start at once take turns; the embedded database belongs to one. */
async function alone({ config, maintenanceDb }: SiteApp, work: () => Promise<void>): Promise<void> {
  if (config.databaseUrl === undefined) await work()
  else await maintenanceDb.connection().execute((connection) => withLock(connection, 'demo', work))
}
