import { expect, test } from 'vitest'
import routes from '../../../routes.ts'
import { findPlaces } from './places.ts'

test('actions and pages are found by their words, and all of them lead to a page', () => {
  const titles = (text: string) => findPlaces(text).flatMap(({ results }) => results.map(({ title }) => title))
  expect(titles('import')).toEqual(['Import a file of entries', 'Import members', 'Import'])
  expect(titles(' vip  USERS ')).toEqual(['VIP users'])
  expect(titles('nothing of the kind')).toEqual([])
  const paths = routes.flatMap(({ path, children = [] }) => [path, ...children.map((child) => child.path)])
  for (const { results } of findPlaces(''))
    for (const { to } of results) expect(paths).toContain(to.slice(1).split('?')[0])
})
