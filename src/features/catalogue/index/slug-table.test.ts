import { expect, it } from 'vitest'
import { SlugTable } from './slug-table.server.ts'

it('SlugTable finds every item by its slug, and nearly none by another, also when made again', () => {
  const table = new SlugTable()
  const count = 20_000
  for (let no = 1; no <= count; no += 1) for (let twice = 0; twice < 2; twice += 1) table.add(no, `slug-of-${no}`)
  for (const each of [table, new SlugTable(table.save())]) {
    let wrong = 0
    for (let no = 1; no <= count; no += 1) {
      const found = each.numbersOf(`slug-of-${no}`)
      expect(found.filter((other) => other === no)).toEqual([no])
      wrong += found.length - 1 + each.numbersOf(`no-slug-${no}`).length
    }
    expect(wrong).toBeLessThan(10)
  }
})
