import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { type CountingServer, startHttp } from '../../../../tests/harness/hostile-server.ts'
import { anItem, deleteAllItems, editItem, type MadeItem, someItems } from '../../../../tests/harness/items.ts'
import { closeLine } from '../../../../tests/harness/site-limits.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import { openLog } from '../../../platform/log.ts'
import { isAppError } from '../../../platform/errors.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import { readLinks } from './read-links.server.ts'
import { requestLinkCheck } from './request-link-check.server.ts'
import { readItem } from '../details/read-item.server.ts'
import type { ItemDetail } from '../item/listing.ts'
import { checkMoreLinksJob, checkLinks } from './check-links.server.ts'
import { checkManyLinks } from './check-many-links.server.ts'
import { gatherLinks, readGathered } from './gather-links.server.ts'
import { takeLinkLease } from './link-lease.server.ts'
import type { Finding } from './link-outcome.ts'
import { type LinkProbe, ProbeStopped } from './link-probe.server.ts'
import { reportLink } from './report-link.server.ts'

/* The checks of a whole catalogue, against one server that plays every host. */

const log = openLog('silent')
const now = '2024-03-15T12:00:00Z'
const hourMs = 3_600_000
const dayMs = 24 * hourMs

let opened: TestApp
let host: CountingServer
/** The status of each path, by `host/path`; 200 by default. */
const answers = new Map<string, number>()
/** The redirect of each path, by `host/path`. */
const redirects = new Map<string, string>()
/** Names that cannot be looked up, or every name. */
const silent = new Set<string>()

beforeAll(async () => {
  host = await startHttp((request, response) => {
    const place = `${request.headers.host?.split(':')[0]}${request.url}`
    const location = redirects.get(place)
    if (location !== undefined) return response.writeHead(302, { location }).end()
    const status = answers.get(place) ?? 200
    return response.writeHead(status, status === 429 ? { 'retry-after': '600' } : {}).end()
  })
  opened = await openTestApp({
    now,
    log,
    env: { LINK_CHECKS: 'on' },
    linkProbe: {
      allowed: [host.place],
      hostGapMs: 1,
      resolve: (name) =>
        silent.has(name) || silent.has('*')
          ? Promise.reject(Object.assign(new Error('no answer'), { code: 'ESERVFAIL' }))
          : Promise.resolve(['127.0.0.1']),
    },
  })
})
afterAll(async () => {
  await opened.close()
  await host.close()
})
beforeEach(() => opened.clock.set(now))
afterEach(async () => {
  const { db } = opened.app
  answers.clear()
  redirects.clear()
  silent.clear()
  host.requests.length = 0
  await deleteAllItems(opened.app)
  await gatherLinks(opened.app)
  await db.deleteFrom('paused_hosts').execute()
  await db.updateTable('link_work').set({ unreachable_since: null, resume_at: null }).execute()
})

const at = (path: string, name = 'files.example'): string => `http://${name}:${host.port}/${path}`

/** Moves the clock on, and does one run. */
async function checkAfter(ms: number): ReturnType<typeof checkLinks> {
  opened.clock.advance(ms)
  return checkLinks(opened.app)
}

async function rows() {
  return opened.app.db
    .selectFrom('link_checks')
    .select(['address', 'host', 'state', 'failures', 'reason', 'status', 'checked_at', 'next_check_at'])
    .orderBy('address')
    .execute()
}

async function stateOf(path: string): Promise<string | undefined> {
  return (await rows()).find(({ address }) => address.endsWith(`/${path}`))?.state
}

async function version(): Promise<number> {
  await opened.app.listing.catchUp()
  return opened.app.listing.version
}

async function detailOf({ slug }: MadeItem): Promise<ItemDetail> {
  await opened.app.listing.catchUp()
  const found = await readItem(opened.app, { page: 'western', slug })
  if (found.kind !== 'found') throw new Error(`${slug} is ${found.kind}.`)
  return found.item
}

describe('the links that are checked', () => {
  it('are those of published items, each address once, and new ones at once', async () => {
    await someItems(opened.app, [
      { name: 'One', link: at('a'), linkG: at('b') },
      { name: 'Two', link: at('a'), linkMV4: at('c') },
      { name: 'Draft', link: at('d'), status: 'draft' },
      { name: 'Ahead', link: at('e'), postDate: '2024-04-01' },
    ])
    const { checked, isMore } = await checkLinks(opened.app)
    expect(checked).toEqual({ ok: 4, suspect: 0, dead: 0, unknown: 0 })
    expect(isMore).toBe(false)
    expect(host.requests.sort()).toEqual(['HEAD /a', 'HEAD /b', 'HEAD /c', 'HEAD /e'])
    expect(await rows()).toHaveLength(4)
    expect((await rows())[0]).toMatchObject({
      host: 'files.example',
      state: 'ok',
      failures: 0,
      reason: 'http',
      status: 200,
      checked_at: new Date(now),
      next_check_at: new Date(Date.parse(now) + 7 * dayMs),
    })
  })

  it('follow the items: a changed link is due at once, and one that no item has is gone', async () => {
    const item = await anItem(opened.app, { name: 'Changing', link: at('old'), linkG: at('stays') })
    const other = await anItem(opened.app, { name: 'Leaving', link: at('left') })
    await checkLinks(opened.app)
    host.requests.length = 0
    await editItem(opened.app, item, { name: 'Changing', link: at('new'), linkG: at('stays') })
    await opened.app.db.updateTable('items').set({ status: 'restricted' }).where('id', '=', other.id).execute()
    await checkLinks(opened.app)
    expect(host.requests).toEqual(['HEAD /new'])
    expect((await rows()).map(({ address }) => address)).toEqual([at('new'), at('stays')])
    await deleteAllItems(opened.app)
    await gatherLinks(opened.app)
    expect(await rows()).toEqual([])
  })

  it('are found in parts through the change feed, which a process that was killed among them does again', async () => {
    const before = (await readGathered(opened.app)) ?? ''
    await someItems(
      opened.app,
      Array.from({ length: 230 }, (_, i) => ({ name: `Some ${i}`, slug: `some-${i}`, link: at(`some-${i}`) })),
    )
    for (const gathered of [undefined, before]) {
      if (gathered !== undefined)
        await opened.app.db
          .updateTable('link_work')
          .set({ gathered_version: Number(gathered) })
          .execute()
      expect(await gatherLinks(opened.app)).toBe(true)
      expect(await rows()).toHaveLength(230)
      expect(Number(await readGathered(opened.app))).toBe(await version())
    }
  })

  it('are found by going through the catalogue where the change feed does not reach back', async () => {
    await someItems(
      opened.app,
      Array.from({ length: 1_100 }, (_, i) => ({ name: `Many ${i}`, slug: `many-${i}`, link: at(`many-${i}`) })),
    )
    await opened.app.db.deleteFrom('catalogue_changes').execute()
    // In short steps, each of which stays done.
    let steps = 0
    while (!(await gatherLinks(opened.app, () => true))) steps += 1
    expect(steps).toBeGreaterThan(4)
    expect(await rows()).toHaveLength(1_100)
    await deleteAllItems(opened.app)
    await opened.app.db.deleteFrom('catalogue_changes').execute()
    await gatherLinks(opened.app)
    expect(await rows()).toEqual([])
  })
})

describe('the states', () => {
  it('go from ok over suspect to dead by two failures in a row, and back by one success', async () => {
    const item = await anItem(opened.app, { name: 'Fading', link: at('fading'), linkMV1: at('spare') })
    await checkLinks(opened.app)
    answers.set('files.example/fading', 404)
    expect((await checkAfter(6 * dayMs)).checked.suspect).toBe(0)
    expect((await checkAfter(2 * dayMs)).checked).toMatchObject({ ok: 1, suspect: 1 })
    expect((await detailOf(item)).downloads).toMatchObject([{ host: 'A', slot: 'link', state: 'suspect' }])
    expect((await checkAfter(2 * hourMs)).checked).toMatchObject({ dead: 1 })
    const dead = await detailOf(item)
    expect(dead.downloads).toMatchObject([{ host: 'A', slot: 'linkMV1', state: 'ok', url: at('spare') }])
    expect(dead.mirrors).toMatchObject({ total: 2, ok: 1, dead: 1, checkedDay: '2024-03-23' })
    answers.clear()
    expect((await checkAfter(2 * dayMs)).checked).toMatchObject({ ok: 1 })
    expect((await detailOf(item)).downloads).toMatchObject([{ slot: 'link', state: 'ok' }])
  })

  it('say nothing bad of a host that refuses programs', async () => {
    answers.set('files.example/guarded', 403)
    await anItem(opened.app, { name: 'Guarded', link: at('guarded') })
    await checkLinks(opened.app)
    await checkAfter(3 * dayMs)
    expect(await stateOf('guarded')).toBe('unknown')
  })

  it('raise the version of the catalogue when they change, and only then', async () => {
    const [one] = (await someItems(opened.app, [
      { name: 'First', link: at('shared') },
      { name: 'Second', link: at('shared') },
      { name: 'Third', link: at('other') },
    ])) as [MadeItem]
    const { scopeOfItem } = opened.app.listing
    const before = await version()
    await checkLinks(opened.app)
    const checked = await version()
    expect(checked).toBeGreaterThan(before)
    // The same again: nothing is raised.
    await checkAfter(8 * dayMs)
    expect(await version()).toBe(checked)
    answers.set('files.example/shared', 410)
    const numbers = await opened.app.db.selectFrom('items').select(['no', 'name']).orderBy('name').execute()
    const touched = (): string[] =>
      numbers.flatMap(({ no, name }) =>
        scopeOfItem.call(opened.app.listing, no).isTouchedSince(checked) ? [name] : [],
      )
    expect(touched()).toEqual([])
    await checkAfter(8 * dayMs)
    expect(await version()).toBeGreaterThan(checked)
    expect(touched()).toEqual(['First', 'Second'])
    await checkAfter(2 * hourMs)
    const dead = await version()
    await checkAfter(2 * dayMs)
    expect(await version()).toBe(dead)
    expect(await detailOf(one)).toMatchObject({ downloads: [{ slot: 'link', state: 'dead' }] })
  })

  it('leave lists as they are', async () => {
    await someItems(opened.app, [{ name: 'Listed', link: at('listed') }])
    const { listing } = opened.app
    const query = { text: '', from: -Infinity, to: Infinity, ascending: false, skip: 0, limit: 10 }
    const found = listing.search(query, anonymous)
    const [row] = await listing.readItems(found.itemNumbers, anonymous)
    const versionBefore = await version()
    await checkLinks(opened.app)
    expect(await version()).toBeGreaterThan(versionBefore)
    expect(found.scope?.isTouchedSince(versionBefore)).toBe(false)
    expect((await listing.readItems(found.itemNumbers, anonymous))[0]?.chunk).toEqual(row?.chunk)
  })

  it('of an address that is known already show on a new item at once', async () => {
    answers.set('files.example/known', 404)
    await anItem(opened.app, { name: 'Known', link: at('known') })
    await checkLinks(opened.app)
    await checkAfter(2 * hourMs)
    const late = await anItem(opened.app, { name: 'Late', link: at('known') })
    expect((await detailOf(late)).mirrors.checkedAt).toBeNull()
    const before = await version()
    await gatherLinks(opened.app)
    expect(await version()).toBeGreaterThan(before)
    expect((await detailOf(late)).downloads).toMatchObject([{ state: 'dead' }])
    // A link that was changed has no state, whatever the one before it had.
    await editItem(opened.app, late, { name: 'Late', link: at('fresh') })
    expect((await detailOf(late)).downloads).toMatchObject([{ state: 'unknown' }])
  })
})

describe('the order', () => {
  it('is: what was reported, then items without a live mirror, then what is due for longest; hosts take turns', async () => {
    await someItems(opened.app, [
      { name: 'Lost', link: at('lost') },
      { name: 'Half', link: at('half'), linkG: at('other-half') },
      { name: 'Fine', link: at('fine'), linkP: at('elsewhere', 'other.example') },
      { name: 'Told', link: at('told') },
    ])
    for (const path of ['lost', 'half']) answers.set(`files.example/${path}`, 404)
    await checkLinks(opened.app)
    await checkAfter(2 * hourMs)
    expect(await stateOf('lost')).toBe('dead')
    await opened.app.db
      .updateTable('link_checks')
      .set({ next_check_at: new Date('2024-03-16') })
      .execute()
    await opened.app.db
      .updateTable('link_checks')
      .set({ next_check_at: new Date('2024-03-15') })
      .where('address', '=', at('fine'))
      .execute()
    await reportLink(opened.app, anonymous, { slug: 'told', slot: 'link', address: '192.0.2.1' })
    host.requests.length = 0
    answers.clear()
    // One after the other: the order of the requests is that of the checks.
    opened.clock.advance(8 * dayMs)
    await checkLinks(opened.app)
    const order = host.requests.map((request) => request.replace('HEAD /', ''))
    expect(order.toSorted()).toEqual(['elsewhere', 'fine', 'half', 'lost', 'other-half', 'told'])
    const place = (path: string): number => order.indexOf(path)
    expect(place('told')).toBeLessThan(place('half'))
    expect(place('lost')).toBeLessThan(place('half'))
    expect(place('elsewhere')).toBeLessThan(4)
  })
})

describe('a host that has asked for a pause', () => {
  it('is, with all its links, for as long as it says', async () => {
    await someItems(
      opened.app,
      Array.from({ length: 30 }, (_, i) => ({ name: `Busy ${i}`, link: at(`busy-${i}`, 'busy.example') })),
    )
    for (let i = 0; i < 30; i += 1) answers.set(`busy.example/busy-${i}`, 429)
    await checkLinks(opened.app)
    // At most as many as were under way when it said so.
    expect(host.requests.length).toBeLessThanOrEqual(4)
    const { id } = await opened.app.db.selectFrom('link_checks').select('id').executeTakeFirstOrThrow()
    await expect(requestLinkCheck(opened.app, { id })).rejects.toMatchObject({
      code: 'links.host_paused',
      retryAfterSeconds: 600,
    })
    host.requests.length = 0
    await checkAfter(9 * 60_000)
    expect(host.requests).toEqual([])
    answers.clear()
    await checkAfter(2 * 60_000)
    expect(host.requests.length).toBeGreaterThanOrEqual(20)
    expect((await rows()).every(({ state, failures }) => failures === 0 && state !== 'dead')).toBe(true)
  })
})

test('a pause that the target of a redirect asks for is that of the target', async () => {
  await someItems(
    opened.app,
    ['one', 'two'].map((path) => ({ name: `Led ${path}`, link: at(path, 'short.example') })),
  )
  redirects.set('short.example/one', at('full', 'target.example'))
  answers.set('target.example/full', 429)
  expect((await checkLinks(opened.app)).checked).toMatchObject({ ok: 1, unknown: 1 })
  expect(await opened.app.db.selectFrom('paused_hosts').select('host').execute()).toEqual([{ host: 'target.example' }])
})

describe('when this server reaches nothing', () => {
  const hosts = ['one.example', 'two.example', 'three.example', 'four.example']
  const ofHosts = () =>
    someItems(
      opened.app,
      hosts.map((name) => ({ name: `Of ${name}`, link: at('x', name) })),
    )

  it('nothing is counted, one line says so, and another that it is over', async () => {
    const warn = vi.spyOn(log, 'warn')
    const info = vi.spyOn(log, 'info')
    await ofHosts()
    await checkLinks(opened.app)
    silent.add('*')
    const before = await version()
    for (let i = 0; i < 3; i += 1) expect((await checkAfter(8 * dayMs)).end).toBe('unreachable')
    expect((await rows()).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(await version()).toBe(before)
    expect(warn).toHaveBeenCalledTimes(1)
    // It does not try every minute.
    expect((await checkAfter(60_000)).end).toBe('paused')
    silent.clear()
    expect(await checkAfter(hourMs)).toMatchObject({ end: 'done', checked: { ok: 4 } })
    expect(info).toHaveBeenCalledExactlyOnceWith('The checks of links reach other hosts again.')
  })

  it('also for links that were never checked, and for a single one', async () => {
    silent.add('*')
    await ofHosts()
    expect((await checkLinks(opened.app)).end).toBe('unreachable')
    expect((await rows()).every(({ checked_at }) => checked_at === null)).toBe(true)
    await deleteAllItems(opened.app)
    await anItem(opened.app, { name: 'Alone', link: at('alone') })
    expect((await checkAfter(hourMs)).end).toBe('unreachable')
  })

  it('is not said because the first hosts of the queue are dead: others are asked, and the next run meets others', async () => {
    const dead = Array.from({ length: 15 }, (_, i) => `dead-${i}.example`)
    for (const name of dead) silent.add(name)
    await someItems(
      opened.app,
      [...dead, 'alive.example'].map((name, i) => ({ name: `Queued ${i}`, link: at('x', name) })),
    )
    await gatherLinks(opened.app)
    await opened.app.db
      .updateTable('link_checks')
      .set({ next_check_at: new Date(Date.parse(now) - hourMs) })
      .where('host', '<>', 'alive.example')
      .execute()
    expect((await checkAfter(60_000)).end).toBe('unreachable')
    expect((await rows()).every(({ state, failures }) => state === 'unknown' && failures === 0)).toBe(true)
    expect(await checkAfter(hourMs)).toMatchObject({ end: 'done', checked: { ok: 1 } })
    await deleteAllItems(opened.app)
    await gatherLinks(opened.app)
    await someItems(
      opened.app,
      [...dead.slice(0, 8), 'alive.example'].map((name, i) => ({ name: `Again ${i}`, link: at('y', name) })),
    )
    await gatherLinks(opened.app)
    await opened.app.db
      .updateTable('link_checks')
      .set({ next_check_at: new Date(Date.parse(now) - hourMs) })
      .where('host', '<>', 'alive.example')
      .execute()
    expect(await checkLinks(opened.app)).toMatchObject({ end: 'done', checked: { ok: 1, suspect: 8 } })
  })

  it('is not said when the server stops during a run', async () => {
    await ofHosts()
    await checkLinks(opened.app)
    opened.clock.advance(8 * dayMs)
    const check = (address: string): Promise<Finding> =>
      address === at('x', 'one.example')
        ? Promise.resolve({ reason: 'timeout', status: null, isAnswered: false })
        : Promise.reject(new ProbeStopped())
    expect((await checkLinks({ ...opened.app, linkProbe: { check } as LinkProbe })).end).toBe('stopped')
    const work = await opened.app.db
      .selectFrom('link_work')
      .select(['unreachable_since', 'resume_at'])
      .executeTakeFirst()
    expect(work).toEqual({ unreachable_since: null, resume_at: null })
    expect((await rows()).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok'])
  })

  it('a host that is silent alone counts: another one, that works otherwise, is asked for it', async () => {
    await ofHosts()
    await checkLinks(opened.app)
    silent.add('one.example')
    await opened.app.db
      .updateTable('link_checks')
      .set({ next_check_at: new Date('2030-01-01') })
      .where('host', '<>', 'one.example')
      .execute()
    host.requests.length = 0
    expect(await checkAfter(8 * dayMs)).toMatchObject({ end: 'done', checked: { suspect: 1 } })
    // The check of another host, of which nothing is written.
    expect(host.requests.length).toBeGreaterThan(0)
    expect((await rows()).filter(({ checked_at }) => checked_at?.getTime() !== Date.parse(now))).toHaveLength(1)
    expect((await checkAfter(8 * hourMs)).checked).toMatchObject({ dead: 1 })
  })
})

describe('one process of all', () => {
  it('checks at a time, and one that died is not waited for', async () => {
    await anItem(opened.app, { name: 'Leased', link: at('leased') })
    const lease = await takeLinkLease(opened.app)
    expect(lease).toBeDefined()
    expect((await checkLinks(opened.app)).end).toBe('busy')
    expect(host.requests).toEqual([])
    expect(await lease?.renew()).toBe(true)
    await opened.app.db
      .updateTable('link_work')
      .set({ leased_until: new Date(Date.now() - 1_000) })
      .execute()
    expect((await checkLinks(opened.app)).checked.ok).toBe(1)
    expect(await lease?.renew()).toBe(false)
    // A release by who has lost it takes nothing from another.
    const next = await takeLinkLease(opened.app)
    await lease?.release()
    expect(await takeLinkLease(opened.app)).toBeUndefined()
    await next?.release()
  })

  it('ends all its checks before it gives the right back, when one of them cannot be written', async () => {
    await someItems(
      opened.app,
      ['bad', 'slow', 'slower'].map((path) => ({ name: `Of ${path}`, link: at(path) })),
    )
    let ended = 0
    const check = async (address: string, signal?: AbortSignal): Promise<Finding> => {
      // No such status can be stored.
      if (address === at('bad')) return { reason: 'http', status: 1e12, isAnswered: true }
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
      await sleep(50)
      expect(await takeLinkLease(opened.app)).toBeUndefined()
      ended += 1
      throw new ProbeStopped()
    }
    const linkProbe = { check } as LinkProbe
    await expect(checkLinks({ ...opened.app, linkProbe })).rejects.toThrow('integer')
    expect(ended).toBe(2)
    const lease = await takeLinkLease(opened.app)
    expect(lease).toBeDefined()
    await lease?.release()
  })

  it('checks nothing when it has lost the right meanwhile', async () => {
    await anItem(opened.app, { name: 'Lost right', link: at('lost-right') })
    await gatherLinks(opened.app)
    let isTaken = false
    const db = opened.app.db.withPlugin({
      transformQuery: ({ node }) => node,
      // The first statement takes the right.
      async transformResult({ result }) {
        if (!isTaken) await opened.app.db.updateTable('link_work').set({ lease: null }).execute()
        isTaken = true
        return result
      },
    })
    expect((await checkLinks({ ...opened.app, db })).end).toBe('busy')
    expect(host.requests).toEqual([])
    await opened.app.db
      .updateTable('link_work')
      .set({ leased_until: new Date(0) })
      .execute()
  })
})

test('the job goes on by itself until nothing is due, in short runs', async () => {
  const { app } = opened
  await someItems(
    app,
    Array.from({ length: 130 }, (_, i) => ({ name: `Work ${i}`, link: at(`w-${i}`, `host-${i % 7}.example`) })),
  )
  await app.jobs.add(app.db, checkMoreLinksJob, {})
  await drainJobs(app)
  expect(new Set(host.requests).size).toBe(130)
  expect(host.requests).toHaveLength(130)
  expect((await rows()).every(({ state }) => state === 'ok')).toBe(true)
})

describe('a command', () => {
  it('checks what is due, everything, or one item, and tells how far it is', async () => {
    await someItems(
      opened.app,
      Array.from({ length: 90 }, (_, i) => ({ name: `Work ${i}`, link: at(`w-${i}`, `host-${i % 7}.example`) })),
    )
    answers.set('host-1.example/w-1', 404)
    const progress: number[] = []
    const onProgress = (done: number, total: number): void => void progress.push(done, total)
    expect(await checkManyLinks(opened.app, { kind: 'due' }, { onProgress })).toEqual({
      ok: 89,
      suspect: 1,
      dead: 0,
      unknown: 0,
    })
    expect(progress.slice(-2)).toEqual([90, 90])
    expect(progress.length).toBeGreaterThan(2)
    opened.clock.advance(60_000)
    const since = opened.clock.now()
    expect(await checkManyLinks(opened.app, { kind: 'due' })).toMatchObject({ ok: 0, suspect: 0 })
    expect(await checkManyLinks(opened.app, { kind: 'all', since, slug: 'work-5' })).toMatchObject({ ok: 1, dead: 0 })
    expect(await checkManyLinks(opened.app, { kind: 'all', since })).toMatchObject({ ok: 88, dead: 1 })
    await expect(checkManyLinks(opened.app, { kind: 'all', since, slug: 'nothing' })).rejects.toMatchObject({
      code: 'links.none',
      message: 'There is no published item nothing.',
    })
    await opened.app.db
      .insertInto('paused_hosts')
      .values({ host: 'host-5.example', paused_until: new Date(opened.clock.now() + 60_000) })
      .execute()
    const later = opened.clock.now() + 1
    await expect(checkManyLinks(opened.app, { kind: 'all', since: later, slug: 'work-5' })).rejects.toMatchObject({
      code: 'links.none',
      message: 'All hosts of the item work-5 have asked for a pause.',
    })
  })

  it('waits for a run of another process, reaches nothing in a sentence, and stops when it is told to', async () => {
    await anItem(opened.app, { name: 'Waiting', link: at('waiting') })
    const lease = await takeLinkLease(opened.app)
    await expect(checkManyLinks(opened.app, { kind: 'due' }, { busyForMs: 20 })).rejects.toMatchObject({
      code: 'links.busy',
    })
    await lease?.release()
    silent.add('*')
    await expect(checkManyLinks(opened.app, { kind: 'due' })).rejects.toMatchObject({ code: 'links.unreachable' })
    silent.clear()
    await expect(checkManyLinks(opened.app, { kind: 'due' }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'links.stopped',
    })
    expect(host.requests).toEqual([])
    // It does not wait for the time at which the clock would try again.
    expect(await checkManyLinks(opened.app, { kind: 'due' })).toMatchObject({ ok: 1 })
  })
})

test('a request of an administrator locks tables in the order in which links are gathered', async () => {
  await anItem(opened.app, { name: 'Requested', link: at('requested') })
  await gatherLinks(opened.app)
  const { id } = await opened.app.db.selectFrom('link_checks').select('id').executeTakeFirstOrThrow()
  const written: string[] = []
  const db = opened.app.db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'UpdateQueryNode') written.push(JSON.stringify(node.table))
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  await requestLinkCheck({ ...opened.app, db }, { id })
  expect(written).toEqual([expect.stringContaining('"link_work"'), expect.stringContaining('"link_checks"')])
})

describe('a report', () => {
  const report = (slug: string, slot: 'link' | 'linkG' = 'link', address = '198.51.100.7') =>
    reportLink(opened.app, anonymous, { slug, slot, address })

  it('moves the check to the front, and changes nothing the second time', async () => {
    await anItem(opened.app, { name: 'Told of', link: at('told') })
    await checkLinks(opened.app)
    await report('told-of')
    const read = () => opened.app.db.selectFrom('link_checks').select(['front_at', 'reported_at']).executeTakeFirst()
    // Just checked: that is answer enough.
    expect(await read()).toEqual({ front_at: null, reported_at: null })
    opened.clock.advance(hourMs)
    await report('told-of')
    const first = await read()
    expect(first).toEqual({ front_at: new Date(opened.clock.now()), reported_at: new Date(opened.clock.now()) })
    opened.clock.advance(60_000)
    await report('told-of')
    expect(await read()).toEqual(first)
    answers.set('files.example/told', 404)
    expect((await checkLinks(opened.app)).checked.suspect).toBe(1)
    expect(await read()).toEqual({ front_at: null, reported_at: null })
    // A link in doubt is not made dead within minutes, however many say so.
    opened.clock.advance(30 * 60_000)
    await report('told-of')
    expect(await read()).toEqual({ front_at: null, reported_at: null })
  })

  it('does not bring the second check of a link in doubt forward', async () => {
    await anItem(opened.app, { name: 'Away', link: at('away') })
    answers.set('files.example/away', 500)
    expect((await checkLinks(opened.app)).checked.suspect).toBe(1)
    opened.clock.advance(2 * hourMs)
    await report('away')
    expect((await checkLinks(opened.app)).checked.dead).toBe(0)
    const { front_at } = await opened.app.db.selectFrom('link_checks').select('front_at').executeTakeFirstOrThrow()
    expect(front_at).toBeNull()
  })

  it('of what a visitor may not see is answered like one of nothing', async () => {
    await someItems(opened.app, [
      { name: 'Secret', contentType: 'vip-western', category: 'VIP Content', link: at('secret') },
      { name: 'Draft', link: at('draft'), status: 'draft' },
      { name: 'Ahead', link: at('ahead'), postDate: '2024-04-01' },
      { name: 'Shown', link: at('shown') },
    ])
    await gatherLinks(opened.app)
    for (const [slug, slot] of [['secret'], ['draft'], ['ahead'], ['nothing'], ['shown', 'linkG']] as const) {
      const error: unknown = await report(slug, slot, '198.51.100.8').catch((thrown: unknown) => thrown)
      expect(isAppError(error) && [error.code, error.status, error.message], slug).toEqual([
        'item.link_not_found',
        404,
        'There is no such link.',
      ])
    }
    const vip = { ...anonymous, roles: new Set(['vip' as const]) }
    expect(await reportLink(opened.app, vip, { slug: 'secret', slot: 'link', address: '198.51.100.9' })).toBeUndefined()
  })

  it('is taken 20 times an hour from one address', async () => {
    await anItem(opened.app, { name: 'Often', link: at('often') })
    for (let i = 0; i < 20; i += 1) await report('often', 'link', '203.0.113.5')
    await expect(report('often', 'link', '203.0.113.5')).rejects.toMatchObject({ code: 'limit.exceeded' })
    await report('often', 'link', '203.0.113.6')
  })

  it('takes from the limit of the site only where it moves a link, and moves nothing beyond that', async () => {
    await anItem(opened.app, { name: 'Wanted', link: at('wanted') })
    await gatherLinks(opened.app)
    const site = opened.app.limits.limit({ name: 'link-report.site', points: 600, seconds: 3_600 })
    const read = () => opened.app.db.selectFrom('link_checks').select(['front_at', 'reported_at']).executeTakeFirst()
    const line = closeLine(opened.app, 'link-report.site')
    try {
      await site.delete('site')
      for (let i = 0; i < 600; i += 1) await site.count('site')
      await expect(report('wanted', 'link', '203.0.113.7')).rejects.toMatchObject({ code: 'limit.exceeded' })
      expect(await read()).toEqual({ front_at: null, reported_at: null })
      await site.refund('site')
      // Reports of nothing, and a second one of the same link, leave the last place to the report that moves.
      for (const slug of ['nothing', 'nothing', 'wanted', 'wanted', 'wanted'])
        await report(slug, 'link', '203.0.113.7').catch((error: unknown) =>
          expect(error).toMatchObject({ code: 'item.link_not_found' }),
        )
      expect(await read()).toMatchObject({ front_at: new Date(opened.clock.now()) })
      await expect(site.consume('site')).rejects.toMatchObject({ code: 'limit.exceeded' })
    } finally {
      line.mockRestore()
      await site.delete('site')
    }
  })
})

describe('the list of administrators', () => {
  it('has items without a live mirror first, then what was reported, then the worst', async () => {
    await someItems(opened.app, [
      { name: 'Fine', link: at('fine') },
      { name: 'Told', link: at('told') },
      { name: 'Lost', link: at('lost'), linkG: at('lost-too'), link2: at('no-mirror') },
      { name: 'Half', link: at('half'), linkMV1: at('spare') },
      { name: 'Guarded', link: at('guarded') },
      { name: 'Secret', contentType: 'vip-western', category: 'VIP Content', link: at('doubt') },
    ])
    for (const path of ['lost', 'lost-too', 'half', 'guarded'])
      answers.set(`files.example/${path}`, path === 'guarded' ? 401 : 404)
    await checkLinks(opened.app)
    await checkAfter(2 * hourMs)
    answers.set('files.example/doubt', 500)
    await checkAfter(8 * dayMs)
    await reportLink(opened.app, anonymous, { slug: 'told', slot: 'link', address: '198.51.100.10' })
    opened.clock.advance(hourMs)
    await reportLink(opened.app, anonymous, { slug: 'told', slot: 'link', address: '198.51.100.10' })

    const read = async (query: Partial<Parameters<typeof readLinks>[1]> = {}) =>
      readLinks(opened.app, { page: 1, limit: 100, ...query })
    const all = await read()
    const named = (list: typeof all): string[] =>
      list.entries.map(({ name, links }) => [name, ...links.map(({ slot, state }) => `${slot} ${state}`)].join(', '))
    expect(named(all).slice(0, 4)).toEqual([
      'Lost, link dead, link2 ok, linkG dead',
      'Told, link ok',
      'Half, link dead, linkMV1 ok',
      'Secret, link suspect',
    ])
    expect(named(all).slice(4).toSorted()).toEqual(['Fine, link ok', 'Guarded, link unknown'])
    expect(all).toMatchObject({
      total: 6,
      totalPages: 1,
      entriesWithoutLiveMirror: 1,
      checks: { areOn: true, unreachableSince: null },
    })
    expect(all.entries.map(({ hasLiveMirror }) => hasLiveMirror)).toEqual([false, true, true, true, true, true])
    // In pages it is the same list.
    const pages = await Promise.all([1, 2, 3].map((page) => read({ page, limit: 2 })))
    expect(pages.flatMap(named)).toEqual(named(all))
    expect(pages.map(({ totalPages }) => totalPages)).toEqual([3, 3, 3])
    expect(named(await read({ state: 'dead' }))).toHaveLength(2)
    expect(named(await read({ state: 'ok', limit: 3, page: 2 }))).toHaveLength(1)
    expect(await read({ page: 9 })).toMatchObject({ entries: [], total: 6 })
  })
})
