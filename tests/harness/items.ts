import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { findCategories, createCategories } from '../../src/features/catalogue/item/categories.server.ts'
import { type ItemColumn, itemColumns, itemText } from '../../src/features/catalogue/item/item.ts'
import { makeSlug } from '../../src/features/catalogue/item/make-slug.ts'
import { foldText } from '../../src/features/catalogue/item/name-text.ts'
import {
  insertItems,
  lockCatalogue,
  type NewItem,
  updateItems,
} from '../../src/features/catalogue/publishing/save-items.server.ts'
import type { App } from '../../src/app/app.ts'

/** The columns that a test cares about; the rest is a valid item of the public domain. */
export type ItemOverrides = Partial<Record<ItemColumn, string>> & {
  status?: 'draft' | 'published' | 'restricted' | 'removed'
}

export interface MadeItem {
  id: string
  slug: string
  name: string
}

const ordinary: Partial<Record<ItemColumn, string>> = {
  name: 'An ordinary work',
  category: 'Literature',
  contentType: 'western',
  postDate: '2024-01-01',
  link: 'https://mega.nz/file/ordinary',
  rightsBasis: 'public_domain',
  evidence: 'Published in 1890; the author died in 1900.',
  permitsDownload: 'true',
  permitsPaidAccess: 'true',
  people: 'none',
}

/** One item, published unless the overrides say otherwise; its category comes into being with it. */
export async function anItem(app: App, overrides: ItemOverrides = {}): Promise<MadeItem> {
  const [made] = await someItems(app, [overrides])
  return made as MadeItem
}

/** Items in one write, in the order of the overrides. The listing knows them when this resolves. */
export async function someItems(app: App, wanted: ItemOverrides[]): Promise<MadeItem[]> {
  const items = wanted.map((overrides) => read(app, overrides))
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const categories = await findCategories(
      trx,
      items.map(({ item }) => item.category),
    )
    const missing = [...new Set(items.map(({ item }) => item.category))].filter(
      (name) => !categories.has(foldText(name)),
    )
    for (const [folded, id] of await createCategories(trx, missing)) categories.set(folded, id)
    for (const made of items) made.categoryId = categories.get(foldText(made.item.category)) as number
    await insertItems(app, trx, items, { by: 'test', at: app.clock.now() })
    for (const [place, { status }] of wanted.entries()) {
      if (status !== 'restricted' && status !== 'removed') continue
      await trx
        .updateTable('items')
        .set({ status })
        .where('id', '=', (items[place] as NewItem).id)
        .execute()
    }
  })
  await app.listing.catchUp()
  return items.map(({ id, slug, item }) => ({ id, slug, name: item.name }))
}

/** Takes every item out of the database, for the next test: also removed ones, which the database keeps otherwise. */
export async function deleteAllItems({ db }: Pick<App, 'db'>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Records of removals stay otherwise.
    await sql`set local session_replication_role = replica`.execute(trx)
    for (const table of ['removal_sweeps', 'blocked_links', 'removal_reversals', 'item_removals', 'item_holds'])
      await sql`delete from ${sql.table(table)}`.execute(trx)
    await sql`set local session_replication_role = origin`.execute(trx)
    await sql`alter table items disable trigger keep_removed_items`.execute(trx)
    await trx.deleteFrom('items').execute()
    await sql`alter table items enable trigger keep_removed_items`.execute(trx)
  })
}

/** Writes an item anew with other contents, published; its slug stays. */
export async function editItem(app: App, { id, slug }: MadeItem, overrides: ItemOverrides): Promise<void> {
  const { item } = read(app, { ...overrides, slug })
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const categoryId = (await findCategories(trx, [item.category])).get(foldText(item.category))
    if (categoryId === undefined) throw new Error(`There is no category ${item.category}.`)
    const changed = { id, item, categoryId, isPublished: true, importDigest: null, otherwise: 'draft' } as const
    await updateItems(app, trx, [changed], { by: 'test', at: app.clock.now() })
  })
  await app.listing.catchUp()
}

function read(app: App, { status = 'published', ...columns }: ItemOverrides): NewItem {
  const texts = Object.fromEntries(itemColumns.map((column) => [column, columns[column] ?? ordinary[column] ?? '']))
  const item = itemText(app.config.timeZone).parse(texts)
  return {
    id: uuidv7(),
    slug: item.slug ?? makeSlug(item.name),
    item,
    categoryId: 0,
    isPublished: status !== 'draft',
    importDigest: null,
  }
}

export async function statusOfItem({ db }: Pick<App, 'db'>, { id }: { id: string }): Promise<string> {
  return (await db.selectFrom('items').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
}
