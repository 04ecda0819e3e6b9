import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { someItems } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { listFields } from '../item/fields.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'

const admin: Viewer = { ...anonymous, roles: new Set(['admin']) }
const everything = { text: '', from: -Infinity, to: Infinity, ascending: true, skip: 0, limit: 100 }

const test = appOfFile()

it('an item of a list is what its details say, in the order of the fields, whatever its name and its years', async () => {
  const { app } = test
  const made = await someItems(app, [
    { name: 'A "quoted" \\ name, </script>, 三國演義, 👩‍🚀', rating: 'mature', creators: 'Somebody; Somebody else' },
    { name: 'Of the tenth century' },
    { name: 'Of the last year', contentType: 'vip-asian', category: 'VIP Content' },
  ])
  for (const [i, postDate] of [undefined, '0987-02-01 03:04:05.0005+00', '9999-02-01 03:04:05.678+00'].entries())
    if (postDate !== undefined)
      await sql`update items set post_date = ${postDate} where id = ${made[i]?.id}`.execute(app.db)
  await app.listing.catchUp()
  for (const isFromImage of [false, true]) {
    if (isFromImage) await app.listing.whenFilled()
    const { itemNumbers } = app.listing.search(everything, admin)
    const items = await app.listing.readItems(itemNumbers, admin)
    expect(items).toHaveLength(made.length)
    for (const { chunk, item } of items) {
      const single = await app.listing.findItem(item.slug, admin)
      const { id, createdAt, updatedAt, ...facts } = single?.item ?? ({} as Record<string, never>)
      const fields = Object.fromEntries(listFields.map((name) => [name, facts[name]]))
      const json = Buffer.from(chunk.toString('latin1'), 'base64').toString().trimEnd()
      expect(json).toBe(JSON.stringify({ id, ...fields, createdAt, updatedAt }))
    }
  }
})
