import { useLocation } from 'react-router'
import type { TitledPage } from '../../../browser/page-title.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { VipList } from '../parts/vip/vip-list.tsx'
import { vipPageAt, vipShelves } from '../shelves/vip-shelves.ts'
import type { Route } from './+types/vip-listing.ts'

export const handle = { title: (pathname) => vipShelves[vipPageAt(pathname)].name } satisfies TitledPage

/** Until access is granted, the title says nothing of what stands here. */
export function meta({ matches: [root] }: Route.MetaArgs) {
  const brand = root.loaderData?.brandName ?? 'Members only'
  return pageMeta({ title: 'Members only', brand, indexed: false })
}

/** `/vip-asian`, `/vip-western`, `/vip-banned` and `/vip-unknown` are one page. */
export default function VipListingRoute() {
  const { pathname } = useLocation()
  return (
    <div className="column">
      <VipList shelf={vipShelves[vipPageAt(pathname)]} />
    </div>
  )
}
