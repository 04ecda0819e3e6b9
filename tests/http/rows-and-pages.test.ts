import { beforeAll, expect, test } from 'vitest'
import {
  categoriesMissed,
  contentTypes,
  freeContentTypes,
  isVipType,
  itemPath,
} from '../../src/features/catalogue/item/content-type.ts'
import { longestName } from '../../src/features/catalogue/item/longest-name.ts'
import { type ItemOverrides, someItems } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'

/** Every pair of type and category that the gate lets pass, in both regions where the type leaves that open. */
const works: (ItemOverrides & { name: string })[] = contentTypes.flatMap((contentType) =>
  ['Asian', 'Western', 'Banned', 'Unknown', 'VIP Content', 'VIP Banned', 'VIP Unknown', 'Film', 'Music']
    .filter((category) => categoriesMissed({ contentType, category }) === undefined)
    .flatMap((category) =>
      (/asian|western/.test(contentType) ? [''] : ['asian', 'western']).map((region) => ({
        name: `Work ${contentType} ${category} ${region}`.trim(),
        contentType,
        category,
        region,
      })),
    ),
)
const free = works.filter(({ contentType }) => !isVipType(contentType as string))

const server = serverOfFile()

beforeAll(async () => {
  await someItems(
    server.app,
    works.map((work, i) => ({ ...work, slug: `work-${i}` })),
  )
})

const rowsOf = (html: string) => [
  ...new Set(html.match(/(?<=href=")\/(asian|western|banned|unknown)\/[a-z0-9-]+(?=")/g) ?? []),
]

test('Every row of every listing, with every filter, leads to a page that answers 200', async () => {
  const queries = [
    '',
    '?search=work',
    '?month=01',
    '?search=work&month=01',
    '?sort=oldest',
    '?category=Film',
    '?category=Banned',
  ]
  const paths = new Set<string>()
  for (const section of freeContentTypes) {
    const onPage = new Set<string>()
    for (const query of queries) {
      const page = await server.request(`/${section}${query}`)
      expect(page.status, section + query).toBe(200)
      for (const path of rowsOf(page.text)) onPage.add(path)
    }
    expect(onPage.size, section).toBeGreaterThan(0)
    for (const path of onPage) paths.add(path)
  }
  expect(paths.size).toBe(free.length)
  for (const path of paths) expect((await server.request(path)).status, path).toBe(200)
})

test('Every published free item stands in a list that asks for no text, and its row leads to its page', async () => {
  const { items } = await server.search('tier=free')
  expect(items.map(({ name }) => name).sort()).toEqual(free.map(({ name }) => name).sort())
  const listed = new Set<string>()
  for (const section of freeContentTypes)
    for (const path of rowsOf((await server.request(`/${section}`)).text)) listed.add(path)
  for (const item of items) {
    expect(listed, item.name).toContain(itemPath(item))
    expect((await server.request(itemPath(item))).status, item.name).toBe(200)
  }
})

test('An item is found by its own whole name, however long it may be', async () => {
  const names = ['word '.repeat(60).trim().padEnd(longestName, 'x'), '𐎠'.repeat(longestName), '각'.repeat(longestName)]
  await someItems(
    server.app,
    names.map((name, i) => ({ name, slug: `long-${i}` })),
  )
  for (const [i, name] of names.entries()) {
    for (const spelling of [name, name.normalize('NFD')]) {
      const { items } = await server.search(`search=${encodeURIComponent(spelling)}`)
      expect(items.map(({ slug }) => slug)).toEqual([`long-${i}`])
    }
    expect((await server.request(`/western?search=${encodeURIComponent(name)}`)).text).toContain(`/western/long-${i}`)
  }
})
