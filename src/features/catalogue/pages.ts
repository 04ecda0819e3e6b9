import type { Page } from '../../http/pages/page.ts'
import { type FreeContentType, freeContentTypes } from './item/content-type.ts'
import { filterParameters } from './search/listing-address.ts'

/** The pages of the free catalogue, a listing and its details for each section, and those of its administration. */
export const cataloguePages: readonly Page[] = [
  ...freeContentTypes.flatMap(pagesOfSection),
  {
    kind: 'shell',
    access: 'admin',
    path: '/admin/links',
    isCaseSensitive: true,
    file: 'features/catalogue/admin/pages/links.tsx',
  },
]

function pagesOfSection(section: FreeContentType): Page[] {
  return [
    {
      kind: 'public',
      path: `/${section}`,
      isCaseSensitive: true,
      parameters: filterParameters(section),
      isEntrance: true,
      file: 'features/catalogue/pages/listing.tsx',
    },
    {
      kind: 'public',
      path: `/${section}/:slug`,
      id: `${section}-detail`,
      isCaseSensitive: true,
      file: 'features/catalogue/pages/detail.tsx',
    },
  ]
}
