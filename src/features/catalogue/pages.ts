import type { Page } from '../../http/pages/page.ts'
import { freeContentTypes } from './item/content-type.ts'
import { filterParameters } from './search/listing-address.ts'

/** The pages of the free catalogue: a listing and its details for each section. */
export const cataloguePages: readonly Page[] = freeContentTypes.flatMap((section): Page[] => [
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
])
