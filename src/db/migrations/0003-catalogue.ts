import type { Kysely } from 'kysely'
import { createNames } from './0003-catalogue/names.ts'
import { createItems } from './0003-catalogue/items.ts'
import { createPeople } from './0003-catalogue/people.ts'
import { createLists } from './0003-catalogue/lists.ts'
import { createRemoval } from './0003-catalogue/removal.ts'
import { createLinks } from './0003-catalogue/links.ts'
import { createDownloads } from './0003-catalogue/downloads.ts'
import { createWork } from './0003-catalogue/work.ts'

/**
 * The catalogue and its publishing gate (docs/spec/publishing.md#database-gate).
 *
 * The gate is declarative wherever that is possible: a published row satisfies check constraints (rights, permissions,
 * people, link) and points, by foreign key, at a clearance of exactly its id, version and content. `fingerprint` is a
 * generated column over everything a clearance covers, so a raw UPDATE of a name, a link or a right breaks the key.
 * Conditions that depend on the time or on other rows (validity, consents, removals) are triggers, whose WHEN clauses
 * keep them off the ordinary write.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createNames(db)
  await createItems(db)
  await createPeople(db)
  await createLists(db)
  await createRemoval(db)
  await createLinks(db)
  await createDownloads(db)
  await createWork(db)
}
