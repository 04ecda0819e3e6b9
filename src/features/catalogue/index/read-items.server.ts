import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'
import { DirectLinks, directLinkColumns } from '../item/direct-links.server.ts'
import { answererOf } from '../item/field-answers.ts'
import { columnsOf, detailFields, detailRights, isStored, listFields, valuesIn } from '../item/fields.ts'
import type { ItemForReader } from '../item/item-with-links-schema.ts'
import type { ItemHealth } from '../item/link-slots.ts'
import { listingTime } from './is-listed.ts'
import { readHealth } from './item-health.server.ts'
import { visibleItems } from './visible-items.server.ts'

/** Everything that callers may be given of a published item. */
export interface ItemFacts {
  no: number
  item: ItemForReader
  links: DirectLinks
  health: ItemHealth
  /** When the database was asked for it, in milliseconds since 1970. */
  readAt: number
}

/** The columns of an item beside its links. */
const readFields = [...listFields, ...detailFields, ...detailRights]
const storedFacts = readFields.filter(isStored)

/** Sees every published item. */
const everything: Viewer = { ...anonymous, roles: new Set(['admin']) }

/** Reads published items from the database, in no order: the one query of single items, of lists and of the image. */
export async function readItems(
  app: Pick<CatalogueApp, 'db' | 'config' | 'clock'>,
  itemNumbers: readonly number[],
): Promise<ItemFacts[]> {
  const { db, config, clock } = app
  const readAt = clock.now()
  const rows = await visibleItems(db, everything, listingTime(app))
    .select([
      'items.no',
      'items.id',
      'categories.name as category',
      'items.created_at',
      'items.updated_at',
      ...columnsOf(storedFacts),
      ...directLinkColumns,
    ])
    .where(sql<boolean>`items.no = any(${itemNumbers}::int[])`)
    .execute()
  const taken = rows.map((row) => ({ no: row.no, ...DirectLinks.takeFrom(row) }))
  const healthOf = taken.length === 0 ? undefined : await readHealth(db, taken)
  const answer = answererOf([...listFields, ...detailFields], config.timeZone)
  const answerRights = answererOf(detailRights, config.timeZone)
  return taken.map(({ no, links, rest: facts }) => {
    const stored = valuesIn(facts, readFields)
    const item = {
      id: facts.id,
      ...answer(stored),
      createdAt: facts.created_at.toISOString(),
      updatedAt: facts.updated_at.toISOString(),
      // The gate lets no item without a basis pass.
      rights: answerRights(stored) as ItemForReader['rights'],
    }
    return { no, item, links, health: healthOf?.get(no) ?? {}, readAt }
  })
}
