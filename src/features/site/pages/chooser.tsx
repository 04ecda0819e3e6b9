import { catalogueContext } from '../../catalogue/page-context.ts'
import { rememberRegion } from '../../catalogue/parts/listing/region.ts'
import { newestOf } from '../../catalogue/search/newest-of.server.ts'
import { freeShelves } from '../../catalogue/shelves/free-shelves.ts'
import { pageScope } from '../../../http/pages/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { ChooserPage } from '../parts/chooser-page.tsx'
import { useFacts } from '../parts/use-facts.ts'
import type { Route } from './+types/chooser.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(catalogueContext)
  // The root says so on every page.
  if (!app.listing.isCurrent) return undefined
  const [asian, western] = await Promise.all([newestOf(app, freeShelves.asian), newestOf(app, freeShelves.western)])
  for (const scope of [...asian.scopes, ...western.scopes]) context.get(pageScope).state(scope)
  return { asian: asian.newest, western: western.newest }
}

/** The way out of the site's other parts leads here, also when the connection has gone: then without the entries. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch(() => undefined)
}

export function meta({ matches: [root] }: Route.MetaArgs) {
  if (root.loaderData === undefined) return []
  const { brandName, publicUrl } = root.loaderData
  return pageMeta({
    title: 'Choose Your Experience',
    brand: brandName,
    description: `${brandName}: two regional catalogues of dated entries, from Asia and from the West.`,
    canonical: `${publicUrl}/`,
    image: `${publicUrl}/share.png`,
    feed: '/feeds/all',
    structured: [{ '@type': 'WebSite', name: brandName, url: `${publicUrl}/` }],
  })
}

export default function Chooser({ loaderData }: Route.ComponentProps) {
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
          newest: loaderData?.asian,
          onChosen: () => rememberRegion('asian'),
        },
        {
          to: '/western',
          accent: 'accent-western',
          pattern: 'tracery',
          name: 'Western',
          sentence: 'Explore our Western collection',
          newest: loaderData?.western,
          onChosen: () => rememberRegion('western'),
        },
      ]}
    />
  )
}
