import { pageMeta } from '../../../ui/page-meta.ts'
import { ChooserPage } from '../parts/chooser-page.tsx'
import { useFacts } from '../parts/use-facts.ts'
import type { Route } from './+types/vip-chooser.ts'

export function meta({ matches: [root] }: Route.MetaArgs) {
  const brand = root.loaderData?.brandName ?? 'VIP Content'
  return pageMeta({ title: 'VIP Content', brand, indexed: false })
}

export default function VipChooser() {
  return (
    <ChooserPage
      brand={useFacts()?.brandName}
      title="VIP Content"
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
    />
  )
}
