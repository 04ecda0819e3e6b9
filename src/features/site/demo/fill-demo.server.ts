import { sql } from 'kysely'
import { withLock } from '../../../db/locks.ts'
import { fillDemoAccounts, hasDemoAdministrator } from '../../accounts/demo/fill-demo-accounts.server.ts'
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
  fulfilling: 'peter-pan-barrie',
  noticed: {
    open: 'the-voyage-out-woolf',
    kept: 'daisy-miller-a-study-james',
    removed: 'the-count-of-monte-cristo-dumas',
  },
  bought: [
    'jane-eyre-an-autobiography-bronte',
    'the-war-of-the-worlds-wells',
    'a-study-in-scarlet-doyle',
    'great-expectations-dickens',
    'the-castle-of-otranto-walpole',
    'heidi-spyri',
    'kalevala-lonnrot',
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
 * Fills an empty database with the demo (docs/spec/operations.md#demo). A public site gets the catalogue alone: there are no
 * accounts whose past it could be. Does nothing where the settings want no demo, or where something is there that the demo
 * has not made.
 */
export async function fillDemo(app: SiteApp): Promise<void> {
  if (app.config.demo) await alone(app, () => fillParts(app))
  app.demo.isHere = await holdsDemo(app)
}

async function fillParts(app: SiteApp): Promise<void> {
  if (!(await holdsDemo(app))) {
    if (await holdsItems(app)) return
    const hasPeople = app.config.hasDemoAccounts && !(await holdsPeople(app))
    // Skipped parts are recorded as done: they must not appear later in a site that is used by then.
    const skipped = hasPeople ? [] : [...Object.keys(parts).filter((name) => name !== 'catalogue'), purchases]
    await app.db
      .insertInto('demo')
      .values({ filled: skipped })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  for (const [name, fill] of Object.entries(parts)) {
    if (await mayFill(app, name)) await fillOnce(app, name, () => fill(app))
  }
}

/** Asked anew for each part: a start that was cut short may be followed by one with other settings, or an account of one's own. */
async function mayFill(app: SiteApp, name: string): Promise<boolean> {
  if (name === 'catalogue') return true
  if (!app.config.hasDemoAccounts) return false
  return (name === 'people' && !(await holdsPeople(app))) || (await hasDemoAdministrator(app))
}

/**
 * Has the demo's members have bought their memberships: in the sandbox where it runs, else the demo's VIP is given a year.
 * @param playPast how the sandbox is told; undefined where there is none
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

async function holdsItems({ db }: Pick<SiteApp, 'db'>): Promise<boolean> {
  return (await db.selectFrom('items').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function holdsPeople({ db }: Pick<SiteApp, 'db'>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Processes that start at once take turns; the embedded database belongs to one. */
async function alone({ config, maintenanceDb }: SiteApp, work: () => Promise<void>): Promise<void> {
  if (config.databaseUrl === undefined) await work()
  else await maintenanceDb.connection().execute((connection) => withLock(connection, 'demo', work))
}
