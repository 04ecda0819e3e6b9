import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTableOwners } from './harness/table-law.ts'
import { type TableUse, textsIn, usesOfTables } from './harness/table-uses.ts'

const root = resolve(import.meta.dirname, '..')
const owners = readTableOwners(root)

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const code = readdirSync(join(root, 'src'), { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .filter((path) => !path.startsWith('src/db/migrations/'))
  .sort()

const uses = (source: string, path = 'sample.server.ts') => usesOfTables(source, path, owners)
const usesByFile = new Map(code.map((path) => [path, uses(read(path), path)]))

/** The files that name a table anywhere but where it is tidied up. A write counts: it can give back what it has written. */
const filesThatUse = (table: string): string[] =>
  code.filter((path) => usesByFile.get(path)?.some((use) => use.kind !== 'hidden' && use.table === table))

/**
 * The readers of `items` besides the base query, each with the reason why it shows visitors nothing that they may not
 * see.
 */
const readersOfItems: Record<string, string> = {
  'src/features/catalogue/index/visible-items.server.ts': 'the base query itself',
  'src/features/catalogue/index/read-listing.server.ts':
    'published items only; the search masks VIP types and cuts off the future',
  'src/features/catalogue/demo/fill-demo-catalogue.server.ts': 'whether there is any item at all',
  'src/features/catalogue/demo/fill-demo-activity.server.ts': 'the demo: what was downloaded in its invented past',
  'src/features/requests/demo/fill-demo-inbox.server.ts': 'the demo: the entry that fulfils a request',
  'src/features/catalogue/saved/visits.server.ts':
    'numbers of what is new, of which the index says what a reader may see',
  'src/features/catalogue/transfer/known-items.server.ts': 'for the operator: which rows are in already',
  'src/features/catalogue/transfer/export-items.server.ts': 'for the operator: the last number',
  'src/features/catalogue/categories/category-refusals.server.ts':
    'for administrators: whether a name and an entry of the category are a prohibited pair',
  'src/features/catalogue/categories/merge-steps.server.ts': 'a job: whether an item is left',
  'src/features/catalogue/categories/save-category.server.ts':
    'for administrators: how many items there are, and whether one is in the way',
  'src/features/catalogue/bulk/read-bulk-edits.server.ts': 'for administrators: the last number',
  'src/features/catalogue/links/gather-links.server.ts': 'a job: which links there are to check',
  'src/features/catalogue/links/record-link-changes.server.ts': 'numbers, for the change feed',
  'src/features/catalogue/links/due-links.server.ts': 'for the operator: the links of the item that they name',
  'src/features/catalogue/links/read-links.server.ts': 'for administrators',
  'src/features/catalogue/overviews/read-duplicates.server.ts': 'for administrators: what seems to be there twice',
  'src/features/catalogue/overviews/read-schedule.server.ts': 'for administrators: names by their days',
  'src/features/catalogue/rights/read-rights.server.ts': 'for administrators',
  'src/features/catalogue/editing/content-home.server.ts':
    'for administrators: whether there is any of their own, and what waits for them',
  'src/features/catalogue/editing/find-items.server.ts': 'for administrators: entries of every status, by a text',
  'src/features/catalogue/editing/list-items.server.ts': 'for administrators: numbers in the order of their list',
  'src/features/catalogue/editing/save-item.server.ts':
    'for administrators: how a file had the item, and whether a slug is free',
  'src/features/catalogue/details/read-cover.server.ts':
    'numbers of what the base query shows; for administrators also of what they have not published',
  'src/features/catalogue/covers/store-cover.server.ts': 'a job: whether an item has a picture',
  'src/features/catalogue/evidence/store-evidence.server.ts': 'for administrators: whether there is such an item',
  'src/features/catalogue/gateway/gateway.server.ts': 'tells only whether any link of a free item passes the gateway',
  'src/features/notices/desk/notice-invariants.server.ts': 'for the operator: ids of what breaks a rule',
  'src/features/notices/notice/addresses-of-sender.server.ts':
    'whether an entry of a decision is on the site, for those whom it concerns',
  'src/features/notices/desk/readers.server.ts': 'who has attested the rights of items',
  'src/features/notices/transparency/read-report.server.ts':
    'how many are published on each basis of rights, and no more',
  'src/features/site/statistics/read-statistics-report.server.ts':
    'for administrators: how often an entry was downloaded',
  'src/features/catalogue/publishing/publishing-invariants.server.ts': 'for the operator: ids of what breaks a rule',
  'src/features/catalogue/publishing/change-status.server.ts': 'takes items off the site',
  'src/features/catalogue/publishing/complete-fingerprints.server.ts': 'a job: writes fingerprints of links alone',
  'src/features/catalogue/publishing/restrict-lapsed-items.server.ts': 'a job: takes items off the site',
  'src/features/catalogue/removal/block-links.server.ts': 'a decision on a notice: which items have a blocked link',
  'src/features/catalogue/removal/match-reported.server.ts': 'a notice: the ids of the items that it names',
  'src/features/catalogue/removal/reported-standing.server.ts':
    'a notice: which of the items that it names are published, and how many of the catalogue are held',
  'src/features/catalogue/removal/remove-items.server.ts': 'a decision on a notice: what it gives back',
  'src/features/catalogue/removal/standing-removals.server.ts':
    'the journal of removals: whether an entry that is off the site is there, and its slug',
  'src/features/catalogue/removal/removed-item.server.ts': 'the tombstones of removed items: nothing that they held',
  'src/features/catalogue/publishing/notify-of-lapses.server.ts': 'for administrators: what was taken off the site',
  'src/features/catalogue/publishing/save-items.server.ts': 'the one writer of content',
  'src/features/catalogue/publishing/stored-item.server.ts':
    'for the operator: items of every status as they were written',
  'src/features/catalogue/publishing/recompute-months.server.ts': 'for the operator: writes months alone',
  'src/features/catalogue/publishing/save-consents.server.ts': 'for administrators: writes that a consent has changed',
  'src/features/site/demo/fill-demo.server.ts': 'the demo: whether there is any item at all',
}

test('nobody reads items for the public but through the base query', () => {
  expect(filesThatUse('items')).toEqual(Object.keys(readersOfItems).sort())
})

test('only the gate writes items', () => {
  const writes = (use: TableUse): boolean => use.kind === 'write' && use.table === 'items'
  const writers = code.filter((path) => usesByFile.get(path)?.some(writes))
  expect(writers).not.toEqual([])
  expect(writers.filter((path) => !path.startsWith('src/features/catalogue/publishing/'))).toEqual([])
})

/** The files that may name the columns of links, each with its audience. */
const readersOfLinks: Record<string, string> = {
  'src/features/catalogue/item/fields.ts': 'the table of fields, which reads nothing',
  'src/features/catalogue/links/gather-links.server.ts': 'the checks of links: addresses, which nobody is given',
  'src/features/catalogue/publishing/publishing-invariants.server.ts': 'whether a published item has one',
  'src/features/catalogue/transfer/known-items.server.ts': 'for the operator: which rows are in already',
}

/** The files that may name columns through the table of fields, each with those that it names. */
const readersOfTable: Record<string, string> = {
  'src/features/catalogue/editing/list-items.server.ts': 'for administrators: the fields of lists',
  'src/features/catalogue/index/read-items.server.ts': 'for visitors: what lists and details show beside the links',
  'src/features/catalogue/item/direct-links.server.ts': 'for visitors: the links, which it hides in DirectLinks',
  'src/features/catalogue/item/fields.ts': 'the table itself',
  'src/features/catalogue/publishing/save-items.server.ts': 'the one writer',
  'src/features/catalogue/publishing/stored-item.server.ts': 'for the operator: items as they were written',
}

/** The files that may take them out, each with its audience. */
const openersOfLinks: Record<string, string> = {
  'src/features/catalogue/gateway/gateway.server.ts': 'while no gateway is in force, the link itself stands there',
  'src/features/catalogue/gateway/open-ticket.server.ts': 'a visitor who has waited',
  'src/features/catalogue/gateway/start-passage.server.ts': 'a visitor whom no wait or only a provider stands before',
  'src/features/catalogue/index/single-items.server.ts': 'VIPs and administrators, and the image in DATA_DIR',
}

/** Columns that only items have, and those whose names are plain words. */
const columnsOfLinks = /\blink_(?:g|p|mv[1-4])\b|\bitems\.link2?\b/i
const mainLink = /(?<![\w/-])link2?(?![\w/-])/i
const isWholeItem = (use: TableUse): boolean => use.kind === 'whole row' && use.table === 'items'

test('direct links leave the database by one file, and the server by those that say for whom', () => {
  const users = new Set(filesThatUse('items'))
  const named = code.filter((path) => {
    if (!path.startsWith('src/features/')) return false
    return textsIn(read(path), path).some(
      (text) => columnsOfLinks.test(text) || (users.has(path) && mainLink.test(text)),
    )
  })
  expect(named).toEqual(Object.keys(readersOfLinks).sort())
  const derived = code.filter((path) => /\b(?:columnsOf|storedFields)\b/.test(read(path)))
  expect(derived).toEqual(Object.keys(readersOfTable).sort())
  const opened = code.filter((path) => /\.(?:reveal|rewrite)\(|\b(?:reveal|rewrite)\b[^(\n]*=/.test(read(path)))
  expect(opened).toEqual(Object.keys(openersOfLinks))
  // A whole row would have them without naming them.
  expect(code.filter((path) => usesByFile.get(path)?.some(isWholeItem))).toEqual([])
})

describe('a reader of items is found', () => {
  test.each([
    ['in a list of tables', 'sql`select i.name from categories c, items i`'],
    ['behind a function in a list', 'sql`select 1 from unnest(${ids}::uuid[]) as given (id), items`'],
    ['under its schema', 'sql`select name from public.items`'],
    ['under its schema, with spaces and in quotes', 'sql`select name from "public" . "items"`'],
    ['in quotes', 'sql`select name from "items"`'],
    ['without its heirs', 'sql`select name from only items`'],
    ['behind a comment', 'sql`select name from /* all */ items`'],
    ['in brackets', 'sql`select 1 from (items join categories on true)`'],
    ['as a command', 'sql`table items`'],
    ['within a query within a query', 'sql`select (select count(*) from items) from categories`'],
    ['in a part of a query', 'sql`join items i on i.id = ${id}`'],
    ['behind a value', 'sql`select 1 from ${source}, items`'],
    ['in a text for sql.raw', `const source = 'from items'\nsql.raw('select name ' + source)`],
    ['as a name', `sql.id('items')`],
    ['in capitals', 'sql`SELECT name FROM Items`'],
    ['by a write that gives back', 'sql`update items set version = version returning name`'],
    ['in a list of Kysely', `db.selectFrom(['categories', 'items']).select('name')`],
    ['in a list of Kysely under another name', `db.selectFrom(['categories as c', 'items as i']).select('name')`],
    ['in Kysely under its schema', `db.selectFrom('public.items').select('name')`],
    ['in a template', 'db.selectFrom(`items`).select(`name`)'],
    ['by a cast', `db.selectFrom('items' as 'categories').select('name')`],
    ['by a join', `db.selectFrom('categories').innerJoin('items as i', 'i.category_id', 'categories.id')`],
    ['by a join of a query', `db.selectFrom('categories').leftJoinLateral((eb) => eb.selectFrom('items').as('i'), on)`],
    ['by an update from it', `db.updateTable('categories').from('items').set({ name })`],
    ['in a query of its own', `db.with('all', (q) => q.selectFrom('items').select('name')).selectFrom('all')`],
    ['by a function', `where(({ selectFrom }) => selectFrom('items'))`],
  ])('%s', (_place, source) => {
    expect(uses(source)).toContainEqual(expect.objectContaining({ table: 'items' }))
  })
})

describe('a table that only a value names is refused', () => {
  test.each([
    ['a variable', `db.selectFrom(table).select('id')`],
    ['a list of variables', `db.selectFrom([...tables]).select('id')`],
    ['a template with a value', 'db.selectFrom(`${table}`)'],
    ['another name of the tag', `import { sql as query } from 'kysely'`],
  ])('%s', (_what, source) => {
    expect(uses(source)).toEqual([expect.objectContaining({ kind: 'hidden' })])
  })
})

test.each([
  ['a column', 'sql`where items.id = ${id} and public.items.no > 1`'],
  ['a name that is given', 'sql`select count(*) as items from categories`'],
  ['a text in SQL', `sql\`select 'items', "Items" from categories\``],
  ['a comment', 'sql`select 1 from categories -- and from items\n`'],
  ['a sentence', `const sentence = 'Choose one from items, or from the list.'`],
  ['upkeep', 'sql`vacuum (analyze) items`'],
])('nobody is taken for a reader of items by %s', (_what, source) => {
  expect(uses(source).filter((use) => use.kind !== 'hidden' && use.table === 'items')).toEqual([])
})

describe('a whole row of items is found', () => {
  test.each([
    ['in Kysely', `db.selectFrom('items').selectAll()`],
    ['in Kysely under another name', `db.selectFrom(['categories as c', 'items as i']).selectAll('i')`],
    ['given back', `db.updateTable('items').set({ version }).returningAll()`],
    ['in SQL', 'sql`select * from categories c join items i on true where true`'],
    ['in SQL by its name', 'sql`select c.name, i.* from categories c, items i`'],
    ['in SQL as a value', 'sql`select to_jsonb(i) from items as i`'],
    ['in SQL given back', 'sql`update items set version = 1 returning *`'],
  ])('%s', (_place, source) => {
    expect(uses(source).filter(isWholeItem)).not.toEqual([])
  })

  test('and a query from elsewhere cannot give one', () => {
    expect(uses('visibleItems(db, viewer, time).selectAll()')).toEqual([expect.objectContaining({ kind: 'hidden' })])
  })

  test.each([
    `db.selectFrom(['categories as c', 'items as i']).selectAll('c')`,
    'sql`select c.*, count(*) from categories c, items i`',
    'sql`select i.name from (select * from categories) c join items i on true`',
    'sql`select * from categories where exists (select from items)`',
  ])('but not in %s', (source) => {
    expect(uses(source).filter(isWholeItem)).toEqual([])
  })
})
