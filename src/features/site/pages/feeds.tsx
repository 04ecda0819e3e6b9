import { TextLink } from '../../../ui/button.tsx'
import { pageMeta } from '../../../ui/page-meta.ts'
import { accountsContext } from '../../accounts/page-context.ts'
import { freeShelves } from '../../catalogue/shelves/free-shelves.ts'
import type { Route } from './+types/feeds.ts'
import '../../notices/parts/open-pages.css'
import './feeds.css'

export function loader({ context }: Route.LoaderArgs) {
  const { config, texts } = context.get(accountsContext)
  return { brandName: texts.inForce.brandName, publicUrl: config.publicUrl }
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (loaderData === undefined) return []
  const { brandName, publicUrl } = loaderData
  return pageMeta({
    title: 'Feeds',
    brand: brandName,
    description: `New entries of ${brandName} in a feed reader, and its catalogue in a reading program.`,
    canonical: `${publicUrl}/feeds`,
    feed: '/feeds/all',
  })
}

const feeds = [
  { section: 'all', name: 'All entries', accent: '' },
  ...Object.entries(freeShelves).map(([section, { name }]) => ({ section, name, accent: `accent-${section}` })),
]

/** The addresses that readers give to other programs (docs/spec/found-from-outside.md#feeds-page). */
export default function Feeds({ loaderData: { publicUrl } }: Route.ComponentProps) {
  return (
    <div className="column open-page feeds-page">
      <h1>Feeds</h1>
      <p>New entries come to you: in a feed reader, or in the program you read with.</p>
      <section aria-labelledby="readers">
        <h2 id="readers">In a feed reader</h2>
        <p>The newest 50 entries of a list. Most readers take either format.</p>
        <ul className="feeds-list">
          {feeds.map(({ section, name, accent }) => (
            <li key={section} className={accent}>
              <span>{name}</span>
              {['RSS', 'JSON'].map((format) => (
                <a key={format} className="text-link" href={`/feeds/${section}.${format.toLowerCase()}`}>
                  <span className="sr-only">{`${name}, `}</span>
                  {format}
                </a>
              ))}
            </li>
          ))}
        </ul>
        <p className="open-aside">
          A list with filters names its own feed to your feed reader. By hand, a feed is narrowed by search, category,
          month, dateFilter, language, format, decade, creator, series and tag, as in{' '}
          <code>{`${publicUrl}/feeds/western.rss?category=History`}</code>.
        </p>
      </section>
      <section aria-labelledby="programs">
        <h2 id="programs">In a reading program</h2>
        <p>Add this address as an OPDS catalogue in KOReader, Thorium, Foliate or Moon+ to browse the whole library.</p>
        <dl>
          <dt>OPDS 1.2</dt>
          <dd>
            <code>{`${publicUrl}/opds`}</code>
          </dd>
          <dt>OPDS 2.0</dt>
          <dd>
            <code>{`${publicUrl}/opds/v2`}</code>
          </dd>
        </dl>
        <p className="open-aside">
          Free entries need no password. VIPs make an app password for each program, on{' '}
          <TextLink to="/account">Your Account</TextLink>, and find their entries there with direct links.
        </p>
      </section>
      <section aria-labelledby="own">
        <h2 id="own">A feed of your own</h2>
        <p>
          Members can make a private feed on Your Account, with VIP entries while they are VIPs, and one of each{' '}
          <TextLink to="/account/searches">saved search</TextLink>.
        </p>
      </section>
    </div>
  )
}
