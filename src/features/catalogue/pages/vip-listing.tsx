import { useLocation } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { VipList } from '../parts/vip/vip-list.tsx'
import { vipPageAt, vipShelves } from '../shelves/vip-shelves.ts'

export const handle = { title: (pathname) => vipShelves[vipPageAt(pathname)].name } satisfies TitledPage

export const meta = guardedMeta

/** `/vip-asian`, `/vip-western`, `/vip-banned` and `/vip-unknown` are one page. */
export default function VipListingRoute() {
  const { pathname } = useLocation()
  return (
    <div className="column">
      <VipList shelf={vipShelves[vipPageAt(pathname)]} />
    </div>
  )
}
