import { expect, test } from 'vitest'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import { NothingPublished } from './empty-list.tsx'

test('an empty list leads administrators, and nobody else, to the import and to a first entry', () => {
  const shown = rendered(<NothingPublished title="Nothing here" isAdmin />)
  expect(shown.hrefs).toEqual(['/admin/import', '/admin/settings?edit=new'])
  expect(shown.text).not.toMatch(/command line|server stopped/)
  expect(rendered(<NothingPublished title="Nothing here" isAdmin={false} />).hrefs).toEqual([])
})
