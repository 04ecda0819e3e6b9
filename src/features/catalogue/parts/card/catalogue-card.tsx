import type { ReactNode } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import type { Download, ItemDetail } from '../../item/listing.ts'
import { longDay } from '../list/by-day.ts'
import { languageOf } from '../list/language-of.ts'
import { DownloadHealth } from './download-health.tsx'
import { MirrorLine } from './mirror-line.tsx'
import { UpgradePanel } from './upgrade-panel.tsx'
import './catalogue-card.css'

/** One work as a card of the catalogue: what it is, when it came, by what right, and where to get it. */
export function CatalogueCard({ item, back }: { item: ItemDetail; back: ReactNode }) {
  const { name, category, region, day, rating, downloads } = item
  return (
    <article className="card">
      <p className="card-back">{back}</p>
      <header className="card-head">
        <p className="badge small-caps">{region === 'asian' ? 'ASIAN CONTENT' : 'WESTERN CONTENT'}</p>
        <h1 lang={languageOf(name)} dir="auto" data-long={name.length > 80 || undefined}>
          {name}
        </h1>
        <dl className="card-facts">
          <div>
            <dt>Entered</dt>
            <dd>
              <time dateTime={day}>{longDay(day)}</time>
            </dd>
          </div>
          <div>
            <dt>Category</dt>
            <dd>{category}</dd>
          </div>
          {rating === 'mature' ? (
            <div>
              <dt>Rating</dt>
              <dd>Mature</dd>
            </div>
          ) : null}
          <div>
            <dt>Rights</dt>
            <dd>
              <Rights rights={item.rights} />
            </dd>
          </div>
        </dl>
      </header>
      <section className="card-downloads" aria-labelledby="downloads">
        <h2 id="downloads">Downloads</h2>
        <MirrorLine mirrors={item.mirrors} />
        {downloads.length === 0 ? (
          <p className="no-download">No download is offered for this entry at the moment.</p>
        ) : (
          <ul>
            {downloads.map((download) => (
              <li key={download.host}>
                <DownloadButton download={download} />
                <DownloadHealth itemSlug={item.slug} {...download} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <UpgradePanel />
    </article>
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
  const url = URL.parse(licence)
  return url === null ? licence : `licence at ${url.hostname.replace(/^www\./, '')}`
}

function DownloadButton({ download }: { download: Download }) {
  const host = URL.parse(download.url)?.hostname.replace(/^www\./, '')
  return (
    <a className="download" href={download.url} target="_blank" rel="noopener noreferrer nofollow">
      <Icon name="download" size={24} />
      <span className="download-label">
        <span className="sr-only">Download from </span>
        {download.label}
      </span>
      <span className="download-host">{`Opens ${host ?? 'the host'} in a new tab`}</span>
    </a>
  )
}
