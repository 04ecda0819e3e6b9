import type { ItemRow } from '../item/listing.ts'
import { vipContentTypes } from '../item/content-type.ts'
import { vipItemPath, type VipPage } from '../item/vip-page.ts'
import type { VipShelfName } from '../item/vip-shelf.ts'
import { regionalFilters, type RowLook, type Shelf, usual, usualAdvice } from './shelf.ts'

export const vipRow: RowLook = { pathOf: vipItemPath, newLabel: 'NEW VIP' }

/** The lists of one VIP type (docs/spec/pages.md#vip-listings). With a text or a creator every VIP type is searched, from each. */
function ofType(type: 'vip' | 'vip-asian' | 'vip-western', texts: Pick<Shelf, 'name' | 'title' | 'twin'>) {
  return {
    ...usual,
    ...texts,
    path: `/${type}`,
    access: 'vip',
    filters: regionalFilters,
    parameters: (isWide) => (isWide ? { tier: 'vip' } : { contentType: type }),
    row: vipRow,
    empty: { title: `No ${texts.title} Found`, advice: usualAdvice },
  } satisfies Shelf
}

/** The lists of a category, which the search knows as shelves. */
function ofCategory(shelf: Exclude<VipShelfName, 'vip-first'>, name: 'Banned' | 'Unknown', subtitle: string) {
  const inWords = name.toLowerCase()
  return {
    ...usual,
    path: `/${shelf}`,
    access: 'vip',
    name: `VIP ${name}`,
    title: `${name} Content`,
    subtitle,
    placeholder: `Search VIP ${inWords} content...`,
    filters: ['month', 'sort', 'region'],
    parameters: () => ({ shelf }),
    row: {
      ...vipRow,
      headingPrefix: `VIP ${name} - `,
      chipOf: ({ contentType }: ItemRow) =>
        contentType === shelf ? undefined : contentType.replace(/^vip-/, '').toUpperCase(),
    },
    empty: {
      title: `No VIP ${name} Content Found`,
      advice: `Try adjusting your search or filters to find premium ${inWords} content.`,
    },
    moreLabel: 'Load More VIP Content',
  } satisfies Shelf
}

/** The lists of the VIP area. Only its pages load them. */
export const vipShelves: Readonly<Record<VipPage, Shelf>> = {
  vip: ofType('vip', { name: 'VIP Content', title: 'VIP Content' }),
  'vip-asian': ofType('vip-asian', {
    name: 'VIP Asian',
    title: 'VIP Asian Content',
    twin: { path: '/vip-western', name: 'VIP Western' },
  }),
  'vip-western': {
    ...ofType('vip-western', {
      name: 'VIP Western',
      title: 'VIP Western Content',
      twin: { path: '/vip-asian', name: 'VIP Asian' },
    }),
    debounceMs: 200,
  },
  'vip-banned': ofCategory('vip-banned', 'Banned', 'Censored and withdrawn works'),
  'vip-unknown': ofCategory('vip-unknown', 'Unknown', 'Works of unknown or unattributed origin'),
}

/** The page of the VIP area that a path names; `vip` where it names none. */
export function vipPageAt(pathname: string): VipPage {
  const [, first] = pathname.split('/')
  return vipContentTypes.find((page) => page === first) ?? 'vip'
}
