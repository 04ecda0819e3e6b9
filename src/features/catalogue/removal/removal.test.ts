import { sql, type Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { anItem, deleteAllItems, editItem, type MadeItem, someItems } from '../../../../tests/harness/items.ts'
import { aMember } from '../../../../tests/harness/members.ts'
import { writePastRules } from '../../../../tests/harness/past-rules.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import type { App } from '../../../app/app.ts'
import { openLog } from '../../../platform/log.ts'
import type { CatalogueDatabase } from '../app.ts'
import { blockingFingerprintsOf, fingerprintEdition, fingerprintsOf } from '../item/link-fingerprints.server.ts'
import { lockCatalogue } from '../publishing/save-items.server.ts'
import { completeAllFingerprints, completeFingerprints } from '../publishing/complete-fingerprints.server.ts'
import { holdItems, releaseHolds, restrictItems } from './hold-items.server.ts'
import type { ItemEffect } from './item-effect.ts'
import { recordLinkTarget } from './record-link-target.server.ts'
import { readReportedEntries } from './read-reported-entries.server.ts'
import { removeItems, restoreItems } from './remove-items.server.ts'
import { removedItem } from './removed-item.server.ts'

let app: App
let attestation: { by: string; at: number }
const opened = appOfFile({ now: new Date().toISOString(), log: openLog('silent') })

beforeAll(async () => {
  ;({ app } = opened)
  const { id: by } = await aMember(app, { email: 'desk@library.example', isAdmin: true })
  attestation = { by, at: app.clock.now() }
})
afterEach(async () => {
  await deleteAllItems(app)
  await app.db.deleteFrom('link_targets').execute()
})

async function locked<T>(work: (trx: Transaction<CatalogueDatabase>) => Promise<T>): Promise<T> {
  const done = await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    return work(trx)
  })
  await app.listing.catchUp()
  return done
}

const by = 'system' as const
const hold = (reference: string, hides: boolean, ...items: MadeItem[]) =>
  locked((trx) => holdItems(trx, { reference, itemIds: items.map(({ id }) => id), hides, by }))
const release = (reference: string) => locked((trx) => releaseHolds(app, trx, { reference, attestation }))
const restrict = (reference: string, ...items: MadeItem[]) =>
  locked((trx) => restrictItems(trx, { reference, itemIds: items.map(({ id }) => id), by }))
const remove = (reference: string, items: MadeItem[], answer: 404 | 410 | 451 = 451) =>
  locked((trx) => removeItems(trx, { reference, itemIds: items.map(({ id }) => id), answer, kind: 'Copyright', by }))
const restore = (reference: string) => locked((trx) => restoreItems(app, trx, { reference, attestation }))

const standing = async () =>
  Object.fromEntries(
    (await app.db.selectFrom('items').select(['name', 'status', 'restriction']).execute()).map(
      ({ name, status, restriction }) => [name, restriction === null ? status : `${status} (${restriction})`],
    ),
  )
const told = (effects: ItemEffect[]) =>
  Object.fromEntries(
    effects.map(({ name, effect, wasReported, reasons }) => [
      name,
      [effect, ...(wasReported ? [] : ['swept']), ...reasons.map(({ code }) => code)].join(' '),
    ]),
  )
const refusal = (statement: string) =>
  sql
    .raw(statement)
    .execute(app.db)
    .then(
      () => undefined,
      (error: Error & { code?: string }) => error.code,
    )

const works = (...names: string[]) =>
  someItems(
    app,
    names.map((name) => ({ name, link: `https://files.example/works/${name}.zip` })),
  ) as Promise<[MadeItem, MadeItem, MadeItem]>

describe('A hold', () => {
  it('hides what is published, and what it has hidden comes back when it is released', async () => {
    const [alice] = await works('alice', 'other')
    expect(told(await hold('N-1', true, alice))).toEqual({ alice: 'restricted' })
    expect(await standing()).toEqual({ alice: 'restricted (notice)', other: 'published' })
    expect(app.listing.peekItem(alice.slug, { member: undefined } as never)).toBeUndefined()
    expect(told(await hold('N-1', true, alice))).toEqual({ alice: 'unchanged' })
    expect(told(await release('N-1'))).toEqual({ alice: 'published' })
    expect(await release('N-1')).toEqual([])
  })

  it('that does not hide leaves it published, and can be raised', async () => {
    const [alice] = await works('alice')
    expect(told(await hold('N-1', false, alice))).toEqual({ alice: 'unchanged' })
    expect(await standing()).toEqual({ alice: 'published' })
    expect(told(await hold('N-1', true, alice))).toEqual({ alice: 'restricted' })
    expect(told(await hold('N-1', false, alice))).toEqual({ alice: 'unchanged' })
    expect(await standing()).toEqual({ alice: 'restricted (notice)' })
    expect(told(await release('N-1'))).toEqual({ alice: 'published' })
  })

  it('of another notice keeps it off, whichever is released first', async () => {
    const [alice] = await works('alice')
    await hold('N-1', true, alice)
    await hold('N-2', false, alice)
    expect(told(await release('N-1'))).toEqual({ alice: 'restricted notice.open' })
    expect(told(await release('N-2'))).toEqual({ alice: 'published' })
    await hold('N-1', true, alice)
    await hold('N-2', true, alice)
    expect(told(await release('N-2'))).toEqual({ alice: 'unchanged' })
    expect(told(await release('N-1'))).toEqual({ alice: 'published' })
  })

  it('leaves a draft a draft, and gives back nothing that it has not taken', async () => {
    const draft = await anItem(app, { name: 'draft', status: 'draft' })
    expect(told(await hold('N-1', true, draft))).toEqual({ draft: 'unchanged' })
    expect(told(await release('N-1'))).toEqual({ draft: 'unchanged' })
    expect(await standing()).toEqual({ draft: 'draft' })
  })

  it('is followed by the gate: what may not be published any more stays off, with the reasons', async () => {
    const [alice] = await works('alice')
    await hold('N-1', true, alice)
    await writePastRules(app, `update items set rights_valid_until = now() - interval '1 day' where id = '${alice.id}'`)
    expect(told(await release('N-1'))).toEqual({ alice: 'restricted rights.expired' })
    expect(await standing()).toEqual({ alice: 'restricted (rights_lapsed)' })
  })

  it('is the law of the database: raw SQL publishes and deletes nothing meanwhile', async () => {
    const [alice] = await works('alice')
    await hold('N-1', true, alice)
    await sql`insert into clearances (item_id, version, fingerprint, checks, cleared_by)
              select id, version, fingerprint, '[]', 'me' from items where id = ${alice.id}::uuid`.execute(app.db)
    const publish = `update items set status = 'published', cleared_version = version where id = '${alice.id}'`
    expect(await refusal(publish)).toBe('DB015')
    expect(await refusal(`delete from items where id = '${alice.id}'`)).toBe('DB015')
    await sql`update item_holds set released_at = now()`.execute(app.db)
    expect(await refusal(publish)).toBeUndefined()
    // And a hold that is written at a console takes it off.
    await sql`insert into item_holds (reference, item_id, kind, hides) values ('N-9', ${alice.id}::uuid, 'notice', true)`.execute(
      app.db,
    )
    expect(await standing()).toEqual({ alice: 'restricted (notice)' })
  })
})

describe('A decision to restrict', () => {
  it('outlives the notice, and its reversal gives the item back', async () => {
    const [alice] = await works('alice')
    await hold('N-1', true, alice)
    expect(told(await restrict('N-1', alice))).toEqual({ alice: 'unchanged' })
    expect(told(await release('N-1'))).toEqual({ alice: 'restricted notice.restricted' })
    expect(told(await restore('N-1'))).toEqual({ alice: 'published' })
  })
})

describe('A removal', () => {
  it('removes, blocks the links, and takes off every other item that has one of them', async () => {
    const [alice] = await works('alice', 'unlike')
    await anItem(app, {
      name: 'again',
      link: 'https://mega.nz/file/x',
      linkG: 'http://www.files.example/works/alice.zip?dl=1',
    })
    const effects = await remove('N-1', [alice])
    expect(told(effects)).toEqual({ alice: 'removed', again: 'restricted swept' })
    expect(effects[0]?.path).toBe(`/western/${alice.slug}`)
    expect(await standing()).toEqual({ alice: 'removed', unlike: 'published', again: 'restricted (gate)' })
    expect(told(await remove('N-1', [alice]))).toEqual({ alice: 'unchanged' })
    const tombstone = await removedItem(app.db, alice.slug)
    expect(tombstone).toMatchObject({ answer: 451, kind: 'Copyright', reference: 'N-1', contentType: 'western' })
    expect(Math.abs(Date.now() - Date.parse(tombstone?.removedAt ?? ''))).toBeLessThan(60_000)
    expect(await removedItem(app.db, 'unlike')).toBeUndefined()
    expect(await removedItem(app.db, "it's none")).toBeUndefined()
  })

  it('is reversed as a whole: the links are free, and all that it took comes back', async () => {
    const [alice] = await works('alice')
    const again = await anItem(app, { name: 'again', link: 'https://files.example/works/alice.zip#x' })
    await remove('N-1', [alice])
    await expect(
      editItem(app, again, { name: 'again', link: 'https://files.example/works/alice.zip#x' }),
    ).rejects.toThrow(/a removal has blocked/)
    expect(told(await restore('N-1'))).toEqual({ alice: 'published', again: 'published swept' })
    expect(await app.db.selectFrom('blocked_links').selectAll().execute()).toEqual([])
    expect(await removedItem(app.db, alice.slug)).toBeUndefined()
    expect(await restore('N-1')).toEqual([])
    // A decision may remove it once more.
    expect(told(await remove('N-1', [alice]))).toEqual({ alice: 'removed', again: 'restricted swept' })
    expect(told(await restore('N-1'))).toEqual({ alice: 'published', again: 'published swept' })
  })

  it('gives back, when it is reversed, what a notice had hidden before it was decided', async () => {
    const [alice] = await works('alice')
    await hold('N-1', true, alice)
    await remove('N-1', [alice])
    expect(told(await release('N-1'))).toEqual({ alice: 'unchanged' })
    expect(await standing()).toEqual({ alice: 'removed' })
    expect(told(await restore('N-1'))).toEqual({ alice: 'published' })
  })

  it('makes a draft a draft again', async () => {
    const draft = await anItem(app, { name: 'draft', status: 'draft' })
    await remove('N-1', [draft])
    expect(told(await restore('N-1'))).toEqual({ draft: 'draft' })
    expect(await standing()).toEqual({ draft: 'draft' })
  })

  it('leaves a tombstone only where somebody could read it: drafts and what was to appear later answer 404', async () => {
    const [alice] = await works('alice')
    const draft = await anItem(app, { name: 'draft', status: 'draft' })
    const later = await anItem(app, { name: 'later', postDate: '2999-01-01' })
    const taken = await anItem(app, { name: 'taken off', link: 'https://files.example/works/taken.zip' })
    await restrict('N-2', taken)
    await remove('N-1', [alice, draft, later, taken])
    const answers = []
    for (const { slug } of [alice, draft, later, taken]) answers.push((await removedItem(app.db, slug))?.answer)
    expect(answers).toEqual([451, 404, 404, 451])
  })

  it('by two notices ends when both are reversed, and so does the block of a link', async () => {
    const [alice] = await works('alice')
    const again = await anItem(app, { name: 'again', link: 'https://files.example/works/alice.zip?x=1' })
    await remove('N-1', [alice], 410)
    expect(told(await remove('N-2', [alice, again], 404))).toEqual({ alice: 'removed', again: 'removed' })
    // A removal that protects a child stays secret, whatever else was decided.
    expect(await removedItem(app.db, alice.slug)).toMatchObject({ answer: 404, reference: 'N-2' })
    expect(told(await restore('N-2'))).toEqual({ again: 'restricted link.blocked', alice: 'unchanged' })
    expect(await removedItem(app.db, alice.slug)).toMatchObject({ answer: 410, reference: 'N-1' })
    expect(told(await restore('N-1'))).toEqual({ alice: 'published', again: 'published swept' })
  })

  it('gives back through the gate alone: with the reasons where that refuses', async () => {
    const [alice] = await works('alice')
    await remove('N-1', [alice])
    await hold('N-2', true, alice)
    expect(told(await restore('N-1'))).toEqual({ alice: 'restricted notice.open' })
    expect(told(await release('N-2'))).toEqual({ alice: 'published' })
    await remove('N-3', [alice])
    await writePastRules(app, `update items set rights_evidence = null where id = '${alice.id}'`)
    expect(told(await restore('N-3'))).toEqual({ alice: 'restricted rights.evidence_missing' })
    expect(await standing()).toEqual({ alice: 'restricted (gate)' })
  })

  it('blocks what a link leads to, and what else leads there, but not the front page of a host', async () => {
    const short = 'https://short.example/a1'
    const other = 'https://tiny.example/zz'
    const [target, page] = ['https://files.example/works/alice.zip', 'https://short.example/login']
    const moved = await anItem(app, { name: 'moved', link: short })
    await someItems(app, [
      { name: 'direct', link: target },
      { name: 'another way', link: other },
      ...Array.from({ length: 6 }, (_, i) => ({ name: `expired ${i}`, link: `https://short.example/e${i}` })),
    ])
    const leads = [
      ...[short, other].map((address) => ({ address, to: target })),
      ...Array.from({ length: 6 }, (_, i) => ({ address: `https://short.example/e${i}`, to: page })),
    ]
    for (const { address, to } of leads) {
      await app.db
        .insertInto('link_targets')
        .values({
          address,
          leads_to: to,
          leads_to_fingerprints: sql`${`{${fingerprintsOf(to).join(',')}}`}::bigint[]` as never,
        })
        .execute()
    }
    expect(told(await remove('N-1', [moved]))).toEqual({
      moved: 'removed',
      direct: 'restricted swept',
      'another way': 'restricted swept',
    })
    const [expired] = await app.db
      .selectFrom('items')
      .select(['id', 'slug', 'name'])
      .where('name', '=', 'expired 0')
      .execute()
    expect(told(await remove('N-2', [expired as MadeItem]))).toEqual({ 'expired 0': 'removed' })
  })
})

describe('Whatever code writes', () => {
  it('a removed item comes back by a reversal of each removal, and then to restricted alone', async () => {
    const [alice] = await works('alice')
    await remove('N-1', [alice])
    await remove('N-2', [alice])
    const become = (status: string) => refusal(`update items set status = '${status}' where id = '${alice.id}'`)
    for (const status of ['draft', 'restricted', 'published']) expect(await become(status)).toMatch(/DB005|23514/)
    const removals = await app.db.selectFrom('item_removals').select('id').orderBy('no').execute()
    const reverse = (place: number) =>
      refusal(`insert into removal_reversals (removal_id, reversed_by) values ('${removals[place]?.id}', 'me')`)
    expect(await reverse(0)).toBeUndefined()
    expect(await become('restricted')).toBe('DB005')
    expect(await reverse(1)).toBeUndefined()
    expect(await become('draft')).toBe('DB005')
    expect(await become('published')).toMatch(/DB005|23514/)
    // Its links stay blocked until somebody frees them.
    expect(await become('restricted')).toBeUndefined()
    expect(await refusal(`delete from item_removals`)).toBe('DB002')
    expect(await refusal(`update removal_reversals set reversed_by = 'you'`)).toBe('DB002')
    expect(await become('published')).toBe('23514')
  })

  it('an item that was removed without a record does not come back at all', async () => {
    const item = await anItem(app, { name: 'lost', status: 'removed' })
    expect(await refusal(`update items set status = 'restricted' where id = '${item.id}'`)).toBe('DB005')
  })

  it('a blocked link is freed by the reversal of its removal alone', async () => {
    const [alice] = await works('alice')
    await remove('N-1', [alice])
    expect(await refusal('delete from blocked_links')).toBe('DB002')
    expect(await refusal('update blocked_links set fingerprint = 1')).toBe('DB002')
    expect(await refusal('truncate blocked_links')).toBe('DB002')
  })

  it('no item takes a blocked link, in no status', async () => {
    const [alice, other] = await works('alice', 'other')
    const draft = await anItem(app, { name: 'draft', status: 'draft' })
    await remove('N-1', [alice])
    const blocked = 'https://files.example/works/alice.zip'
    for (const { id } of [other, draft]) {
      expect(await refusal(`update items set link_mv4 = '${blocked}' where id = '${id}'`)).toMatch(/DB014|23503/)
    }
    const spelt = blockingFingerprintsOf(blocked).at(-1)
    expect(
      await refusal(
        `update items set link_fingerprints = link_fingerprints || ${spelt}::bigint where id = '${other.id}'`,
      ),
    ).toBe('DB014')
    expect(
      await refusal(`
        insert into items (id, name, searched, slug, category_id, content_type, region, post_date, post_month, link)
        values ('${randomUUID()}', 'Bare', 'bare', 'bare', 1, 'western', 'western', now(), 1, '${blocked}')`),
    ).toBe('DB014')
    await expect(anItem(app, { name: 'new', status: 'draft', link: `${blocked}#2` })).rejects.toThrow(/has blocked/)
  })

  it('a block that is written at a console takes every item off that has the link', async () => {
    const [alice, other] = await works('alice', 'other')
    await remove('N-1', [alice])
    const fingerprint = blockingFingerprintsOf('https://files.example/works/other.zip').at(-1)
    await sql`insert into blocked_links (fingerprint, removal_id)
              select ${fingerprint}::bigint, id from item_removals`.execute(app.db)
    expect(await standing()).toEqual({ alice: 'removed', other: 'restricted (gate)' })
    expect(other.slug).toBe('other')
  })
})

test('fingerprints that are missing are completed, and those of a row written past the code are at least exact', async () => {
  const [alice] = await works('alice')
  const read = async () => {
    const { rows } = await sql<{ fingerprints: string[]; edition: number | null }>`
      select link_fingerprints::text[] as fingerprints, fingerprint_edition as edition from items where id = ${alice.id}::uuid`.execute(
      app.db,
    )
    return { edition: rows[0]?.edition, fingerprints: rows[0]?.fingerprints.toSorted() }
  }
  const all = fingerprintsOf('https://files.example/works/alice.zip')
  expect(await read()).toEqual({ edition: fingerprintEdition, fingerprints: all.toSorted() })
  await sql`update items set link_fingerprints = '{}' where id = ${alice.id}::uuid`.execute(app.db)
  expect(await read()).toEqual({ edition: null, fingerprints: all.slice(0, 1) })
  expect(await locked((trx) => completeFingerprints(trx))).toBe(1)
  expect(await read()).toEqual({ edition: fingerprintEdition, fingerprints: all.toSorted() })
  expect(await locked((trx) => completeFingerprints(trx))).toBe(0)
})

test('what was written past the code with a blocked link in another spelling is taken off when that is found', async () => {
  const [alice, other] = await works('alice', 'other')
  await remove('N-1', [alice])
  await writePastRules(
    app,
    `update items set link = 'http://files.example/works/alice.zip', link_fingerprints = '{}', fingerprint_edition = null
      where id = '${other.id}'`,
  )
  expect(await standing()).toEqual({ alice: 'removed', other: 'published' })
  await completeAllFingerprints(app)
  expect(await standing()).toEqual({ alice: 'removed', other: 'restricted (gate)' })
})

test('a link that turns out to lead to what was removed takes its item off, and comes back with it', async () => {
  const [alice] = await works('alice')
  const short = 'https://short.example/a1'
  await someItems(app, [
    { name: 'short', link: short },
    { name: 'elsewhere', link: 'https://short.example/b2' },
  ])
  await remove('N-1', [alice])
  await recordLinkTarget(app, 'https://short.example/b2', 'https://files.example/works/unlike.zip')
  await recordLinkTarget(app, short, 'http://files.example/works/alice.zip?session=1')
  expect(await standing()).toEqual({ alice: 'removed', short: 'restricted (gate)', elsewhere: 'published' })
  await expect(anItem(app, { name: 'once more', link: `${short}#x`, status: 'draft' })).rejects.toThrow(/has blocked/)
  expect(told(await restore('N-1'))).toEqual({ alice: 'published', short: 'published swept' })
  // It does not lead there any more.
  await recordLinkTarget(app, short, short)
  expect(told(await remove('N-2', [alice]))).toEqual({ alice: 'removed' })
})

test('a file of a removed folder is taken off and refused, and the next folder stays', async () => {
  const [item, next] = ['https://archive.org/details/alice_librivox', 'https://archive.org/details/emma_librivox']
  const [removed] = await someItems(app, [
    { name: 'removed', link: item },
    { name: 'a file of it', link: 'https://archive.org/download/alice_librivox/alice_01.mp3' },
    { name: 'next item', link: next },
  ])
  expect(told(await remove('N-1', [removed as MadeItem]))).toEqual({
    removed: 'removed',
    'a file of it': 'restricted swept',
  })
  await expect(
    anItem(app, { name: 'again', status: 'draft', link: `http://www.archive.org/embed/alice_librivox` }),
  ).rejects.toThrow(/has blocked/)
  await anItem(app, { name: 'another file', link: `${next}/emma_01.mp3` })
  await restore('N-1')
  expect(new Set(Object.values(await standing()))).toEqual(new Set(['published']))
})

test('an entry is read for a notice with its links and who attested its rights', async () => {
  const [alice] = await works('alice')
  await sql`update items set rights_attested_by = ${attestation.by} where id = ${alice.id}::uuid`.execute(app.db)
  const found = await readReportedEntries(app.db, [alice.id, randomUUID()])
  expect([...found.keys()]).toEqual([alice.id])
  expect(found.get(alice.id)).toMatchObject({
    name: 'alice',
    path: '/western/alice',
    status: 'published',
    links: [{ slot: 'link', address: 'https://files.example/works/alice.zip' }],
    rights: { basis: 'public_domain', attestedBy: expect.not.stringContaining('-') },
  })
})
