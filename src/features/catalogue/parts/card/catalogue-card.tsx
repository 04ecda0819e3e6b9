import type { ReactNode } from 'react'
import { itemPath } from '../../item/content-type.ts'
import { siteOf } from '../../item/file-hosts.ts'
import type { ItemDetail } from '../../item/listing.ts'
import { longDay } from '../list/by-day.ts'
import { languageOf } from '../list/language-of.ts'
import { Downloads } from './downloads.tsx'
import { MirrorLine } from './mirror-line.tsx'
import { ReportEntry } from './report-entry.tsx'
import { UpgradePanel } from './upgrade-panel.tsx'
import './catalogue-card.css'

/** One work as a card of the catalogue: what it is, when it came, by what right, and where to get it. */
export function CatalogueCard({
  item,
  benefits,
  back,
}: {
  item: ItemDetail
  /** The lines of the panel below. */
  benefits: readonly string[]
  back: ReactNode
}) {
  const { region, downloads } = item
  return (
    <article className="card">
      <p className="card-back">{back}</p>
      <CardHead item={item} badge={region === 'asian' ? 'ASIAN CONTENT' : 'WESTERN CONTENT'} />
      <section className="card-downloads" aria-labelledby="downloads">
        <h2 id="downloads">Downloads</h2>
        <MirrorLine mirrors={item.mirrors} />
        {downloads.length === 0 ? (
          <p className="no-download">No download is offered for this entry at the moment.</p>
        ) : (
          <Downloads item={item} />
        )}
      </section>
      <UpgradePanel slug={item.slug} benefits={benefits} />
      <ReportEntry path={itemPath(item)} />
    </article>
  )
}

/**
 * The kind of a work, its day and its rights.
 * @param region is said of works whose list holds both
 * @param isAhead whether the day has yet to come
 */
export function CardHead({
  item: { name, creators, category, day, rating, rights },
  badge,
  region,
  isAhead = false,
}: {
  item: Pick<ItemDetail, 'name' | 'creators' | 'category' | 'day' | 'rating' | 'rights'>
  badge: ReactNode
  region?: string
  isAhead?: boolean
}) {
  return (
    <header className="card-head">
      <p className="badge small-caps">{badge}</p>
      <h1 lang={languageOf(name)} dir="auto" data-long={name.length > 80 || undefined}>
        {name}
      </h1>
      <dl className="card-facts">
        {creators === undefined || creators.length === 0 ? null : (
          <div>
            <dt>{creators.length === 1 ? 'Creator' : 'Creators'}</dt>
            <dd>
              <bdi>{creators.join('; ')}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{isAhead ? 'Opens' : 'Entered'}</dt>
          <dd>
            <time dateTime={day}>{longDay(day)}</time>
          </dd>
        </div>
        <div>
          <dt>Category</dt>
          <dd>{category}</dd>
        </div>
        {region === undefined ? null : (
          <div>
            <dt>Region</dt>
            <dd>{region}</dd>
          </div>
        )}
        {rating === 'mature' ? (
          <div>
            <dt>Rating</dt>
            <dd>Mature</dd>
          </div>
        ) : null}
        <div>
          <dt>Rights</dt>
          <dd>
            <Rights rights={rights} />
          </dd>
        </div>
      </dl>
    </header>
  )
}

function Rights({ rights }: { rights: ItemDetail['rights'] }) {
  const { basis, holder, licence, licenceUrl } = rights
  return (
    <>
      {holder === null ? basis : `${basis}, ${holder}`}
      {licence === null ? null : (
        <>
          {' · '}
          {licenceUrl === null ? (
            licence
          ) : (
            <a className="text-link" href={licenceUrl} target="_blank" rel="license noopener noreferrer nofollow">
              {licenceName(licence)}
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          )}
        </>
      )}
    </>
  )
}

/** An address is shown by its host, which names the licence's publisher. */
function licenceName(licence: string): string {
  return URL.canParse(licence) ? `licence at ${siteOf(licence)}` : licence
}
