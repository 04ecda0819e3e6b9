import type { Page } from '../../http/pages/page.ts'
import { freeContentTypes, vipContentTypes } from './item/content-type.ts'
import { filterParameters } from './search/listing-address.ts'

const freePages = freeContentTypes.flatMap((section): Page[] => [
  {
    kind: 'public',
    path: `/${section}`,
    isCaseSensitive: true,
    parameters: filterParameters(),
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

/** The same of the VIP area, where `/vip` itself is the site's. */
const vipPages = vipContentTypes.flatMap((section): Page[] => [
  ...(section === 'vip' ? [] : [vipShell(`/${section}`, 'vip-listing.tsx')]),
  { ...vipShell(`/${section}/:slug`, 'vip-detail.tsx'), id: `${section}-detail` },
])

function vipShell(path: string, file: string): Page {
  return { kind: 'shell', access: 'vip', path, isCaseSensitive: true, file: `features/catalogue/pages/${file}` }
}

/** The way to a download (docs/spec/catalogue.md#gateway): where it begins, and the page on which visitors wait. */
const gatewayPages: readonly Page[] = [
  {
    kind: 'uncached',
    path: '/go/:slug/:slot',
    isCaseSensitive: true,
    rateLimit: 'passage',
    file: 'features/catalogue/pages/go.tsx',
  },
  {
    kind: 'uncached',
    path: '/go/:ticket',
    isCaseSensitive: true,
    rateLimit: 'passage',
    // The download lies elsewhere.
    form: { maxBodyBytes: 1_024, fields: [], leavesSite: true },
    file: 'features/catalogue/pages/wait.tsx',
  },
]

/** The pages of a reader's memory (docs/spec/readers-memory.md). */
const readersPages: readonly Page[] = [
  readersShell('/account/saved', 'saved.tsx'),
  readersShell('/account/history', 'history.tsx'),
  readersShell('/account/searches', 'searches.tsx'),
  {
    kind: 'uncached',
    path: '/unsubscribe/:token',
    isCaseSensitive: true,
    rateLimit: 'unsubscribe',
    form: { maxBodyBytes: 1_024, fields: [], takesParts: true },
    file: 'features/catalogue/pages/unsubscribe.tsx',
  },
]

function readersShell(path: string, file: string): Page {
  return { kind: 'shell', access: 'member', path, file: `features/catalogue/reading/pages/${file}` }
}

const adminPages = [
  adminShell('/admin/settings', 'editing/pages/content.tsx'),
  adminShell('/admin/bulk-edit', 'bulk/pages/bulk-edit.tsx'),
  adminShell('/admin/calendar', 'overviews/pages/schedule.tsx'),
  adminShell('/admin/duplicates', 'overviews/pages/duplicates.tsx'),
  adminShell('/admin/categories', 'categories/pages/categories.tsx'),
  adminShell('/admin/gateway', 'gateway/pages/gateway.tsx'),
  adminShell('/admin/import', 'transfer/pages/import.tsx'),
  adminShell('/admin/links', 'links/pages/links.tsx'),
  adminShell('/admin/preview/:id', 'overviews/pages/preview.tsx'),
  adminShell('/admin/prohibited-names', 'prohibited-names/pages/prohibited-names.tsx'),
  adminShell('/admin/rights', 'rights/pages/rights.tsx'),
]

function adminShell(path: string, file: string): Page {
  return { kind: 'shell', access: 'admin', path, isCaseSensitive: true, file: `features/catalogue/${file}` }
}

export const cataloguePages: readonly Page[] = [
  ...freePages,
  ...vipPages,
  ...gatewayPages,
  ...readersPages,
  ...adminPages,
]
