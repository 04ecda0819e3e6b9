import type { Page } from '../../http/pages/page.ts'
import { freeContentTypes, vipContentTypes } from './item/content-type.ts'
import { filterParameters } from './search/listing-address.ts'
import { freeShelves } from './shelves/free-shelves.ts'

/** The pages of the free catalogue: a listing and its details for each section. */
const freePages = freeContentTypes.flatMap((section): Page[] => [
  {
    kind: 'public',
    path: `/${section}`,
    isCaseSensitive: true,
    parameters: filterParameters(freeShelves[section]),
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

/** The same of the VIP part, where `/vip` itself is the site's. */
const vipPages = vipContentTypes.flatMap((section): Page[] => [
  ...(section === 'vip' ? [] : [vipShell(`/${section}`, 'vip-listing.tsx')]),
  { ...vipShell(`/${section}/:slug`, 'vip-detail.tsx'), id: `${section}-detail` },
])

function vipShell(path: string, file: string): Page {
  return { kind: 'shell', access: 'vip', path, isCaseSensitive: true, file: `features/catalogue/pages/${file}` }
}

export const cataloguePages: readonly Page[] = [...freePages, ...vipPages]
