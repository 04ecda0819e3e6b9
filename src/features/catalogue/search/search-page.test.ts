import { expect, it } from 'vitest'
import { anItem, deleteAllItems, someItems } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import { CatalogueIndex } from '../index/catalogue-index.server.ts'
import { searchPage } from './search-items.server.ts'

const test = appOfFile()

it('a page has the items and the total of one state, also where the database is newer than the listing', async () => {
  await deleteAllItems(test.app)
  await someItems(test.app, [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }])
  // Without an image every item is read from the database, and nothing tells this listing of a change.
  const listing = new CatalogueIndex(test.app)
  await listing.load()
  await anItem(test.app, { name: 'Four' })
  await test.app.db.deleteFrom('items').where('name', '=', 'Two').execute()
  const query = { page: 1, limit: 10, ascending: true, text: '' }
  const { total, items, itemNumbers } = await searchPage({ ...test.app, listing }, anonymous, query)
  expect(items.map(({ item }) => item.name).sort()).toEqual(['Four', 'One', 'Three'])
  expect([total, itemNumbers.length]).toEqual([3, 3])
})
