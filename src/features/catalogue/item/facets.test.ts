import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { contentTypes, isVipType, regions } from './content-type.ts'
import { facetMask, matchesFacets } from './facets.ts'

const test = appOfFile()

describe('facetMask', () => {
  it('lays traits out as the database packs them', async () => {
    for (const contentType of contentTypes) {
      for (const region of regions) {
        for (const [month, categoryId] of [
          [1, 1],
          [12, 65_535],
          [7, 300],
        ] as const) {
          const { rows } = await sql<{ packed: number }>`
            select pack_facets(${contentType}, ${region}, ${month}::int, ${categoryId}::int) as packed`.execute(
            test.app.db,
          )
          const { value } = facetMask({
            contentType,
            region,
            isVip: isVipType(contentType),
            month,
            categoryIds: [categoryId],
          })
          expect(rows[0]?.packed, `${contentType} ${region} ${month} ${categoryId}`).toBe(value)
        }
      }
    }
  })

  it('looks only at what was asked', () => {
    const western = facetMask({
      contentType: 'western',
      region: 'western',
      isVip: false,
      month: 3,
      categoryIds: [9],
    }).value
    const fits = (query: Parameters<typeof facetMask>[0]): boolean => {
      return matchesFacets(western, facetMask(query))
    }
    expect(fits({})).toBe(true)
    expect(fits({ month: 3 })).toBe(true)
    expect(fits({ month: 2 })).toBe(false)
    expect(fits({ categoryIds: [9], region: 'western' })).toBe(true)
    expect(fits({ categoryIds: [8] })).toBe(false)
    expect(fits({ categoryIds: [8, 9] })).toBe(true)
    expect(fits({ categoryIds: [9, 8], month: 2 })).toBe(false)
    expect(fits({ categoryIds: [8, 10] })).toBe(false)
    expect(fits({ isVip: true })).toBe(false)
    expect(fits({ contentType: 'asian' })).toBe(false)
  })
})
