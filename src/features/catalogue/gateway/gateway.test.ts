import { generateKeyPairSync } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteAllItems, editItem, type MadeItem, someItems } from '../../../../tests/harness/items.ts'
import { aMember, viewerOf } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import type { App } from '../../../app/app.ts'
import { databaseUnavailable } from '../../../platform/database-outages.ts'
import { ensureInstallationSecret } from '../../accounts/user/installation-secret.server.ts'
import { readGatewayReport } from './read-gateway-report.server.ts'
import { saveGatewaySettings } from './save-gateway-settings.server.ts'
import { exportDownloads } from '../saved/download-history.server.ts'
import { Gateway } from './gateway.server.ts'
import { openTicket, redeemTicket } from './open-ticket.server.ts'
import { startPassage } from './start-passage.server.ts'
import { issueTicket, writeTicket } from './ticket.server.ts'
import { deleteOldCounts, deleteOldTickets } from './delete-old-rows.server.ts'
import { countVipDownload } from './record-download.server.ts'

let app: App
let work: MadeItem
let vipWork: MadeItem
const testApp = appOfFile({ now: '2024-03-15T12:00:00Z', env: { SITE_TIME_ZONE: 'Asia/Tokyo' } })

beforeAll(async () => {
  app = testApp.app
})
beforeEach(async () => {
  ;[work, vipWork] = (await someItems(app, [
    { name: 'A work', link: 'https://mega.nz/file/a#key', linkG: 'https://www.example.net/elsewhere' },
    { name: 'A VIP work', contentType: 'vip-western', linkP: 'https://pixeldrain.com/u/vip' },
  ])) as [MadeItem, MadeItem]
})
afterEach(async () => {
  await deleteAllItems(app)
  for (const table of ['gateway_settings', 'gateway_tickets', 'download_events', 'download_days'] as const)
    await app.db.deleteFrom(table).execute()
  await app.listing.catchUp()
})

const start = (slug: string, slot: string) =>
  startPassage(app, { slug, slot, address: '198.51.100.7', isCounted: true })
const issue = () => issueTicket(app, { slug: work.slug, slot: 'link' })
const events = () =>
  app.db.selectFrom('download_events').select(['item_id', 'slot', 'host', 'tier', 'user_id']).execute()
/** Lets the wait of every ticket pass, in the database's time. */
const endWaits = () => sql`update gateway_tickets set ready_at = ready_at - interval '5 seconds'`.execute(app.db)
const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as { code: unknown }).code,
  )

describe('a ticket', () => {
  test('waits from the first look on, however often it is looked at, and then leads to the link once', async () => {
    const ticket = await issue()
    expect(await redeemTicket(app, ticket)).toMatchObject({ kind: 'unopened' })
    expect(await openTicket(app, ticket, { isOpening: false })).toMatchObject({ kind: 'unopened' })
    expect(await openTicket(app, ticket, { isOpening: true })).toEqual({
      kind: 'waiting',
      secondsLeft: 5,
      target: { name: 'A work', path: '/western/a-work', place: { site: 'mega.nz', label: 'Mega', isFileHost: true } },
    })
    await sql`update gateway_tickets set ready_at = ready_at - interval '3 seconds'`.execute(app.db)
    expect(await openTicket(app, ticket, { isOpening: true })).toMatchObject({ kind: 'waiting', secondsLeft: 2 })
    expect(await redeemTicket(app, ticket)).toMatchObject({ kind: 'waiting', secondsLeft: 2 })
    expect(await events()).toEqual([])

    await endWaits()
    expect(await openTicket(app, ticket, { isOpening: true })).toMatchObject({ kind: 'waiting', secondsLeft: 0 })
    expect(await redeemTicket(app, ticket)).toEqual({ kind: 'passed', location: 'https://mega.nz/file/a#key' })
    expect(await redeemTicket(app, ticket)).toMatchObject({ kind: 'served' })
    expect(await openTicket(app, ticket, { isOpening: true })).toMatchObject({ kind: 'served' })
    expect(await events()).toEqual([{ item_id: work.id, slot: 'link', host: 'Mega', tier: 'free', user_id: null }])
  })

  test('that is open is read without a write', async () => {
    const ticket = await issue()
    await openTicket(app, ticket, { isOpening: true })
    const readOnly = await app.db
      .transaction()
      .setAccessMode('read only')
      .execute((db) =>
        openTicket({ ...app, db: db as unknown as typeof app.db, listing: app.listing }, ticket, { isOpening: true }),
      )
    expect(readOnly).toMatchObject({ kind: 'waiting', secondsLeft: 5 })
  })

  test('serves one of many who press at the same moment, and counts once', async () => {
    const ticket = await issue()
    await openTicket(app, ticket, { isOpening: true })
    await endWaits()
    const results = await Promise.all(Array.from({ length: 8 }, () => redeemTicket(app, ticket)))
    expect(results.filter(({ kind }) => kind === 'passed')).toHaveLength(1)
    expect(results.filter(({ kind }) => kind === 'served')).toHaveLength(7)
    expect(await events()).toHaveLength(1)
  })

  test('keeps the wait that it was opened with, whatever is saved meanwhile', async () => {
    const ticket = await issue()
    await openTicket(app, ticket, { isOpening: true })
    const { id } = await aMember(app)
    await saveGatewaySettings(app, viewerOf({ id }, 'admin'), { ...app.gateway.settings, waitSeconds: 500 })
    expect(await openTicket(app, ticket, { isOpening: true })).toMatchObject({ kind: 'waiting', secondsLeft: 5 })
    const later = await issue()
    expect(await openTicket(app, later, { isOpening: true })).toMatchObject({ kind: 'waiting', secondsLeft: 500 })
  })

  test('expires 30 minutes after it was issued, by the clock of the database, opened or not', async () => {
    const secret = await ensureInstallationSecret(app.db, 'gateway-tickets')
    const agedBy = (seconds: number) =>
      writeTicket(secret, {
        id: crypto.randomUUID(),
        slug: work.slug,
        slot: 'link',
        issuedAt: Math.floor(Date.now() / 1_000) - seconds,
      })
    const old = agedBy(30 * 60 + 2)
    expect(await openTicket(app, old, { isOpening: true })).toMatchObject({ kind: 'expired' })
    expect(await redeemTicket(app, old)).toMatchObject({ kind: 'expired' })
    expect(await app.db.selectFrom('gateway_tickets').selectAll().execute()).toEqual([])

    // Another instance's clock makes no difference: 2024 by this one's.
    const ageing = agedBy(29 * 60)
    await openTicket(app, ageing, { isOpening: true })
    await endWaits()
    await sql`update gateway_tickets set issued_at = issued_at - interval '2 minutes'`.execute(app.db)
    expect((await redeemTicket(app, ageing)).kind).not.toBe('passed')
    expect(await events()).toEqual([])
  })

  test('of an item that was taken away, or lost that link, leads nowhere; of a changed link to the new one', async () => {
    const [ticket, second] = [await issue(), await issue()]
    for (const one of [ticket, second]) await openTicket(app, one, { isOpening: true })
    await endWaits()
    await editItem(app, work, { name: 'A work', link: 'https://mega.nz/file/new' })
    expect(await redeemTicket(app, ticket)).toEqual({ kind: 'passed', location: 'https://mega.nz/file/new' })
    const alternate = await issueTicket(app, { slug: work.slug, slot: 'linkG' })
    expect(await openTicket(app, alternate, { isOpening: true })).toEqual({ kind: 'gone', target: undefined })

    await app.db.updateTable('items').set({ status: 'restricted' }).where('id', '=', work.id).execute()
    await app.listing.catchUp()
    expect(await redeemTicket(app, second)).toEqual({ kind: 'gone', target: undefined })
    expect(await events()).toHaveLength(1)
  })

  test('that this site has not signed is nowhere', async () => {
    const forged = writeTicket(Buffer.alloc(32), {
      id: crypto.randomUUID(),
      slug: work.slug,
      slot: 'link',
      issuedAt: Math.floor(Date.now() / 1_000),
    })
    for (const text of [forged, 'nonsense', 'A'.repeat(90), `${await issue()}x`]) {
      expect(await codeOf(openTicket(app, text, { isOpening: true }))).toBe('passage.unknown')
      expect(await codeOf(redeemTicket(app, text))).toBe('passage.unknown')
    }
  })

  test('is forgotten an hour after it was issued', async () => {
    const [old] = [await issue(), await issue()]
    await openTicket(app, old, { isOpening: true })
    await deleteOldTickets(app)
    expect(await app.db.selectFrom('gateway_tickets').selectAll().execute()).toHaveLength(1)
    await sql`update gateway_tickets set issued_at = issued_at - interval '61 minutes'`.execute(app.db)
    await deleteOldTickets(app)
    expect(await app.db.selectFrom('gateway_tickets').selectAll().execute()).toEqual([])
  })
})

describe('a passage', () => {
  test.each([
    ['a-work', 'link2'],
    ['a-work', 'linkX'],
    ['a-work', '__proto__'],
    ['nothing', 'link'],
    ['a-vip-work', 'linkP'],
    ['A-WORK', 'link'],
    ['', ''],
  ])('to %s/%s is none', async (slug, slot) => {
    expect(await codeOf(start(slug, slot))).toBe('passage.unknown')
  })

  test('begins with a ticket for a link on a file host, and stores nothing for it; any other link stands for itself', async () => {
    expect(await start('a-work', 'link')).toMatch(/^\/go\/[\w-]{60,}$/)
    expect(await app.db.selectFrom('gateway_tickets').selectAll().execute()).toEqual([])
    expect(await events()).toEqual([])
    expect(await start('a-work', 'linkG')).toBe('https://www.example.net/elsewhere')
    expect(await events()).toMatchObject([{ slot: 'linkG', host: 'example.net', tier: 'free' }])
  })

  test('is refused to an address that takes too many, and to nobody else', async () => {
    const take = (address: string) => startPassage(app, { slug: 'a-work', slot: 'link', address, isCounted: false })
    for (let i = 0; i < 120; i += 1) await take('203.0.113.9')
    expect(await codeOf(take('203.0.113.9'))).toBe('limit.exceeded')
    expect(await take('203.0.113.10')).toMatch(/^\/go\//)
  })
})

describe('the provider', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const linkvertise = { provider: 'linkvertise', account: '12345', publicKey: key, raw: false, waitSeconds: 5 } as const
  const saved = async (settings: object) => {
    app.gateway.use({ ...app.gateway.settings, ...settings, version: app.gateway.settings.version + 1 })
    return app.gateway.state
  }

  test('linkvertise leads to its address, and each passage counts', async () => {
    expect(await saved(linkvertise)).toMatchObject({ inForce: 'linkvertise', fault: undefined })
    expect(await start('a-work', 'link')).toMatch(/^https:\/\/link-to\.net\/12345\/\d+\/dynamic\/\?r=/)
    await startPassage(app, { slug: 'a-work', slot: 'link', address: '198.51.100.7', isCounted: false })
    expect(await events()).toHaveLength(1)
  })

  test.each([
    ['no account', { account: '' }, /own publisher id.*518238/],
    ["a stranger's account", { account: '518238' }, /518238/],
    ['a key that cannot be read', { publicKey: 'damaged' }, /key/],
  ])('linkvertise with %s is off, and says why; downloads are direct', async (_name, wrong, fault) => {
    const state = await saved({ ...linkvertise, ...wrong })
    expect(state).toMatchObject({ inForce: 'off', faultSince: app.clock.now() })
    expect(state.fault).toMatch(fault)
    expect(await start('a-work', 'link')).toBe('https://mega.nz/file/a#key')
    const found = await app.listing.findItem('a-work', viewerOf({ id: 'nobody' }))
    expect(found && app.gateway.linksForFree('a-work', found.links).link).toBe('https://mega.nz/file/a#key')
  })

  test('that fails later is passed by, until it works again; the log says so once a minute', async () => {
    await saved(linkvertise)
    const log = vi.spyOn(app.log, 'error').mockReturnValue()
    const failing = vi.spyOn(app.gateway, 'linkvertiseAddressOf').mockImplementation(() => {
      throw new Error('out of entropy')
    })
    for (let i = 0; i < 3; i += 1) expect(await start('a-work', 'link')).toBe('https://mega.nz/file/a#key')
    expect(log).toHaveBeenCalledTimes(1)
    expect(app.gateway.state).toMatchObject({ inForce: 'linkvertise', faultSince: app.clock.now() })
    testApp.clock.advance(60_000)
    await start('a-work', 'link')
    expect(log).toHaveBeenCalledTimes(2)
    failing.mockRestore()
    await start('a-work', 'link')
    expect(app.gateway.state).toMatchObject({ inForce: 'linkvertise', fault: undefined, faultSince: undefined })
  })

  test('local opens nothing while the site has an outage', async () => {
    await saved({ provider: 'local' })
    const outage = Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' })
    vi.spyOn(app.gateway, 'ticketSecret').mockRejectedValueOnce(outage)
    await expect(start('a-work', 'link')).rejects.toBe(outage)
    expect(app.gateway.state).toMatchObject({ inForce: 'local', fault: undefined })
  })

  test('off leads straight to the link', async () => {
    await saved({ provider: 'off' })
    expect(await start('a-work', 'link')).toBe('https://mega.nz/file/a#key')
    expect(await events()).toHaveLength(1)
  })

  test.each([
    ['off', { provider: 'off' }, 'https://mega.nz/file/a#key'],
    ['linkvertise', linkvertise, /^https:\/\/link-to\.net\//],
  ])('%s goes on where nothing can be counted, and the log says so once a minute', async (_name, settings, to) => {
    await saved(settings)
    const log = vi.spyOn(app.log, 'error').mockReset().mockReturnValue()
    testApp.clock.advance(60_000)
    const pass = (fault: Error) => {
      const db = {
        insertInto() {
          throw fault
        },
      }
      const broken = { ...app, db, listing: app.listing } as unknown as App
      return startPassage(broken, { slug: 'a-work', slot: 'link', address: '198.51.100.8', isCounted: true })
    }
    for (let i = 0; i < 2; i += 1) expect(await pass(new Error('no partition'))).toMatch(to)
    expect(log).toHaveBeenCalledTimes(1)
    expect(await codeOf(pass(databaseUnavailable()))).toBe('database.unavailable')
  })

  test('of the environment that cannot work is told once, when it is put in force', () => {
    const warn = vi.spyOn(app.log, 'warn').mockReturnValue()
    const gateway = new Gateway({
      ...app,
      config: { ...app.config, gateway: { ...linkvertise, account: '' } },
    })
    gateway.use(undefined)
    gateway.use(undefined)
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn.mock.lastCall?.join(' ')).toContain('518238')
  })
})

describe('saved settings', () => {
  test('are another version each time, and go before the environment in every process at once', async () => {
    const admin = viewerOf(await aMember(app), 'admin')
    const read = async () => app.gateway.readSaved(app.db)
    expect(await read()).toBeUndefined()
    const { version } = app.listing
    const first = await saveGatewaySettings(app, admin, { ...app.config.gateway, provider: 'off', version: 0 })
    expect(first).toMatchObject({ provider: 'off', version: 1 })
    expect(app.listing.version).toBe(version + 1)
    expect(app.gateway.state.inForce).toBe('off')

    // As another instance does it: what it knows is what the database tells.
    const { CatalogueIndex } = await import('../index/catalogue-index.server.ts')
    const gateway = new Gateway(app)
    const other = new CatalogueIndex({ ...app, gateway })
    await other.load()
    expect(gateway.state.inForce).toBe('off')
    const found = await other.findItem('a-work', viewerOf({ id: 'nobody' }))
    expect(Buffer.from(found?.body(viewerOf({ id: 'nobody' })) ?? '').toString()).toBe(
      Buffer.from(found?.body(viewerOf({ id: 'a' }, 'vip')) ?? '').toString(),
    )
    await saveGatewaySettings(app, admin, { ...first, provider: 'local' })
    await other.catchUp()
    expect(gateway.settings).toMatchObject({ provider: 'local', version: 2 })
    const again = await other.findItem('a-work', viewerOf({ id: 'nobody' }))
    expect(Buffer.from(again?.body(viewerOf({ id: 'nobody' })) ?? '').toString()).not.toBe(
      Buffer.from(again?.body(viewerOf({ id: 'a' }, 'vip')) ?? '').toString(),
    )
  })

  test('are refused where they were read at another version, with those of now', async () => {
    const admin = viewerOf(await aMember(app), 'admin')
    const [one, two] = [
      { ...app.config.gateway, waitSeconds: 7, version: 0 },
      { ...app.config.gateway, waitSeconds: 9, version: 0 },
    ]
    const results = await Promise.allSettled([
      saveGatewaySettings(app, admin, one),
      saveGatewaySettings(app, admin, two),
    ])
    const winner = results.find((result) => result.status === 'fulfilled')?.value
    const loser = results.find((result) => result.status === 'rejected')?.reason as unknown
    expect(winner?.version).toBe(1)
    expect(loser).toMatchObject({ code: 'gateway.conflict', status: 409, details: { current: winner } })
    const { version } = app.listing
    for (const late of [0, 5])
      expect(await codeOf(saveGatewaySettings(app, admin, { ...one, version: late }))).toBe('gateway.conflict')
    expect(app.listing.version).toBe(version)
    await sql`truncate gateway_settings`.execute(app.db)
    await app.listing.catchUp()
    expect(app.gateway.settings.version).toBe(0)
  })
})

describe('the count of downloads', () => {
  test('has a VIP once a day for each link, in the time zone of the site, and nobody for what they are not shown', async () => {
    const { id } = await aMember(app)
    const vip = viewerOf({ id }, 'vip')
    const open = (slot: string, slug = 'a-vip-work') => countVipDownload(app, vip, { slug, slot })
    await open('linkP')
    await open('linkP')
    await open('link')
    expect(await events()).toHaveLength(2)
    // Noon in UTC is 9 in the evening in Tokyo: three hours later it is tomorrow.
    testApp.clock.advance(3 * 3_600_000)
    await open('linkP')
    testApp.clock.advance(-3 * 3_600_000)
    expect(await events()).toHaveLength(3)
    expect(await codeOf(open('linkG'))).toBe('passage.unknown')
    expect(await codeOf(open('link', 'nothing'))).toBe('passage.unknown')
    expect(await codeOf(countVipDownload(app, viewerOf({ id }), { slug: 'a-vip-work', slot: 'link' }))).toBe(
      'passage.unknown',
    )
  })

  test('is summed for administrators by tier, time, host and item', async () => {
    const { id } = await aMember(app)
    await countVipDownload(app, viewerOf({ id }, 'vip'), { slug: 'a-work', slot: 'link' })
    for (const [i, days] of [0, 0, 6, 7, 29, 30].entries()) {
      testApp.clock.advance(-days * 86_400_000)
      await startPassage(app, { slug: 'a-work', slot: 'linkG', address: `192.0.2.${i}`, isCounted: true })
      testApp.clock.advance(days * 86_400_000)
    }
    expect(await readGatewayReport(app, viewerOf({ id }, 'admin'))).toEqual({
      state: { inForce: app.gateway.state.inForce, fault: null, faultSince: null, isIdle: false },
      passages: { today: 2, last7Days: 3, last30Days: 5 },
      vipDownloads: { today: 1, last7Days: 1, last30Days: 1 },
      byHost: [{ host: 'example.net', passages: 5 }],
      byItem: [{ slug: 'a-work', name: 'A work', path: '/western/a-work', passages: 5 }],
    })
  })

  test('has three passages a day without a ticket for an address and item; the others go on uncounted', async () => {
    for (let i = 0; i < 5; i += 1) expect(await start('a-work', 'linkG')).toBe('https://www.example.net/elsewhere')
    expect(await events()).toHaveLength(3)
    const other = { slug: 'a-work', slot: 'linkG', address: '198.51.100.9', isCounted: true }
    expect(await startPassage(app, other)).toBe('https://www.example.net/elsewhere')
    expect(await events()).toHaveLength(4)
  })

  test('is deleted 400 days later', async () => {
    await start('a-work', 'linkG')
    testApp.clock.advance(400 * 86_400_000)
    await deleteOldCounts(app)
    expect(await events()).toHaveLength(1)
    testApp.clock.advance(86_400_000)
    await deleteOldCounts(app)
    expect(await events()).toEqual([])
    testApp.clock.advance(-401 * 86_400_000)
  })

  test('is the history of a member, and nobody\u2019s once their account is deleted', async () => {
    const { id } = await aMember(app)
    const vip = viewerOf({ id }, 'vip')
    await countVipDownload(app, vip, { slug: 'a-vip-work', slot: 'linkP' })
    await countVipDownload(app, vip, { slug: 'a-work', slot: 'link' })
    const history = await exportDownloads(app, vip)
    expect(
      new Set(history.map(({ item, host, downloadedAt }) => [item, host, downloadedAt.slice(0, 10)].join(' '))),
    ).toEqual(new Set(['A VIP work Pixeldrain 2024-03-15', 'A work Mega 2024-03-15']))
    // A former member exports the instants, and no name that they may not see.
    const later = await exportDownloads(app, viewerOf({ id }))
    expect(new Map(later.map(({ item, slug }) => [slug, item]))).toEqual(
      new Map([
        ['a-work', 'A work'],
        [vipWork.slug, null],
      ]),
    )
    expect(await exportDownloads(app, viewerOf(await aMember(app)))).toEqual([])
    await app.db.deleteFrom('users').where('id', '=', id).execute()
    expect((await events()).map(({ user_id }) => user_id)).toEqual([null, null])
  })
})
