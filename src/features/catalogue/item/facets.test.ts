import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { contentTypes, isVipType, regions } from './content-type.ts'
import { FacetKinds, facetMask, matchesFacets, withoutMonth } from './facets.ts'

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

describe('FacetKinds', () => {
  it('numbers the facets that are met, with no month among them, and says which match', () => {
    const kinds = new FacetKinds()
    const [western, vip] = [facetMask({ contentType: 'western' }), facetMask({ isVip: true })]
    const met = [7, 65_535].flatMap((id) =>
      contentTypes.flatMap((contentType) =>
        [1, 12].map((month) => facetMask({ contentType, isVip: id === 7, month, categoryIds: [id] }).value),
      ),
    )
    const numbers = met.map((facets) => kinds.numberOf(facets))
    expect(new Set(numbers).size).toBe(met.length)
    expect(met.map((facets) => kinds.numberOf(facets))).toEqual(numbers)
    expect(numbers.map((kind) => kinds.facets[kind])).toEqual(met)
    const withNone = numbers.map((kind) => kinds.facets[kinds.withoutMonth[kind] as number])
    expect(withNone).toEqual(met.map(withoutMonth))
    // Each with no month, and that of what was never met.
    expect(kinds.count).toBe(met.length * 1.5 + 1)
    const matching = kinds.matching(western, vip)
    expect(numbers.map((kind) => matching[kind])).toEqual(
      met.map((facets) => Number(matchesFacets(facets, western) && matchesFacets(facets, vip))),
    )
  })
})
