import { ChooserPage } from '../parts/chooser-page.tsx'
import { rememberRegion } from '../../catalogue/parts/listing/region.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { useFacts } from '../parts/use-facts.ts'
import type { Route } from './+types/chooser.ts'

/** Without a loader of its own: who leaves the site's other parts comes here, also when the connection has gone. */
export function meta({ matches: [root] }: Route.MetaArgs) {
  if (root.loaderData === undefined) return []
  const { brandName, publicUrl } = root.loaderData
  return pageMeta({
    title: 'Choose Your Experience',
    brand: brandName,
    description: `${brandName}: two regional catalogues of dated entries, from Asia and from the West.`,
    canonical: `${publicUrl}/`,
    image: `${publicUrl}/share.png`,
    structured: [{ '@type': 'WebSite', name: brandName, url: `${publicUrl}/` }],
  })
}

export default function Chooser() {
  return (
    <ChooserPage
      brand={useFacts()?.brandName}
      title="Choose Your Experience"
      cards={[
        {
          to: '/asian',
          accent: 'accent-asian',
          pattern: 'waves',
          name: 'Asian',
          sentence: 'Enter the world of Asian content',
          onChosen: () => rememberRegion('asian'),
        },
        {
          to: '/western',
          accent: 'accent-western',
          pattern: 'tracery',
          name: 'Western',
          sentence: 'Explore our Western collection',
          onChosen: () => rememberRegion('western'),
        },
      ]}
    />
  )
}
