import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { catalogueContext } from '../../catalogue/page-context.ts'
import { VipFirst } from '../../catalogue/parts/vip/vip-first.tsx'
import { VipList } from '../../catalogue/parts/vip/vip-list.tsx'
import { vipShelves } from '../../catalogue/shelves/vip-shelves.ts'
import { ChooserPage } from '../parts/chooser-page.tsx'
import { useFacts } from '../parts/use-facts.ts'
import type { Route } from './+types/vip-chooser.ts'

export const handle = { title: 'VIP Content' } satisfies TitledPage

export const meta = guardedMeta

export function loader({ context }: Route.LoaderArgs) {
  return { hasEarlyAccess: context.get(catalogueContext).config.earlyAccessDays > 0 }
}

export default function VipChooser({ loaderData }: Route.ComponentProps) {
  return (
    <ChooserPage
      brand={useFacts()?.brandName}
      title="VIP Home"
      cards={[
        {
          to: '/vip-asian',
          accent: 'accent-vip',
          pattern: 'waves',
          name: 'VIP ASIAN PREMIUM',
          sentence: 'Works from Asia, for VIP members only',
        },
        {
          to: '/vip-western',
          accent: 'accent-vip',
          pattern: 'tracery',
          name: 'VIP WESTERN PREMIUM',
          sentence: 'Works from the West, for VIP members only',
        },
      ]}
    >
      <div className="column">
        {loaderData.hasEarlyAccess ? <VipFirst /> : null}
        <VipList shelf={vipShelves.vip} level={2} />
      </div>
    </ChooserPage>
  )
}
