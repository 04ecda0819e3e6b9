import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { contentTypes, isVipType, regions } from './content-type.ts'
import { categoryIdIn, FacetGroups, facetMask, groupOf, matchesFacets, withoutMonth } from './facets.ts'

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

describe('FacetGroups', () => {
  it('numbers as many groups as the categories have, however high their ids are', () => {
    const categoryIds = [7, 65_535, 300]
    const groups = new FacetGroups(categoryIds)
    expect(groups.count).toBe((categoryIds.length + 1) * 64)
    const numbers = new Set<number>()
    for (const id of categoryIds)
      for (const contentType of contentTypes)
        for (const month of [1, 12]) {
          const { value } = facetMask({ contentType, region: 'western', isVip: true, month, categoryIds: [id] })
          const group = groupOf(value, groups.places)
          numbers.add(group)
          expect(group).toBeLessThan(groups.count)
          expect(groups.facetsOf(group)).toBe(withoutMonth(value))
        }
    expect(numbers.size).toBe(categoryIds.length * contentTypes.length)
  })

  it('takes every other category for one that is unknown', () => {
    const groups = new FacetGroups([7])
    for (const id of [6, 8, 65_535]) {
      const { value } = facetMask({ categoryIds: [id] })
      expect(categoryIdIn(groups.facetsOf(groupOf(value, groups.places)))).toBe(0)
    }
  })
})
