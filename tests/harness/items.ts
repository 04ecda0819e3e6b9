import { uuidv7 } from 'uuidv7'
import { findCategories, createCategories } from '../../src/features/catalogue/categories.server.ts'
import { type ItemColumn, itemColumns, itemText } from '../../src/features/catalogue/item.ts'
import { makeSlug } from '../../src/features/catalogue/make-slug.ts'
import { foldText } from '../../src/features/catalogue/name-text.ts'
import {
  insertItems,
  lockCatalogue,
  type NewItem,
  updateItems,
} from '../../src/features/catalogue/save-items.server.ts'
import type { App } from '../../src/platform/app.ts'

/** What a test cares about; the rest is a valid item of the public domain. */
export type ItemWish = Partial<Record<ItemColumn, string>> & {
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

/** One item, published unless the wish says otherwise; its category comes into being with it. */
export async function anItem(app: App, wish: ItemWish = {}): Promise<MadeItem> {
  const [made] = await someItems(app, [wish])
  return made as MadeItem
}

/** Items in one write, in the order of the wishes. The listing knows them when this resolves. */
export async function someItems(app: App, wishes: ItemWish[]): Promise<MadeItem[]> {
  const items = wishes.map((wish) => read(app, wish))
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
    for (const [place, { status }] of wishes.entries()) {
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

/** Writes an item anew with other contents, published; its slug stays. */
export async function editItem(app: App, { id, slug }: MadeItem, wish: ItemWish): Promise<void> {
  const { item } = read(app, { ...wish, slug })
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const categoryId = (await findCategories(trx, [item.category])).get(foldText(item.category))
    if (categoryId === undefined) throw new Error(`There is no category ${item.category}.`)
    const changed = { id, item, categoryId, isPublished: true, importDigest: null, otherwise: 'draft' } as const
    await updateItems(app, trx, [changed], { by: 'test', at: app.clock.now() })
  })
  await app.listing.catchUp()
}

function read(app: App, { status = 'published', ...columns }: ItemWish): NewItem {
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
