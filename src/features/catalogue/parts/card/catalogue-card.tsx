import type { ReactNode } from 'react'
import { TextLink } from '../../../../ui/button.tsx'
import { freePageOf, itemPath } from '../../item/content-type.ts'
import { siteOf } from '../../item/file-hosts.ts'
import type { ItemDetail } from '../../item/listing.ts'
import type { Neighbours } from '../../item/neighbours-schema.ts'
import { longDay } from '../list/by-day.ts'
import { languageOf } from '../list/language-of.ts'
import { Cover } from '../../covers/parts/cover.tsx'
import { coverOf } from '../../covers/parts/cover-of.ts'
import { DownloadList, Downloads } from './downloads.tsx'
import { EntryTools } from './entry-tools.tsx'
import { MirrorLine } from './mirror-line.tsx'
import { filteredList } from './filtered-list.ts'
import { NearEntries } from './near-entries.tsx'
import type { OwnLinks } from './use-direct-links.ts'
import { yearInWords } from './year-in-words.ts'
import { UpgradePanel } from './upgrade-panel.tsx'
import './catalogue-card.css'

export function CatalogueCard({
  item,
  neighbours,
  benefits,
  back,
  preview,
}: {
  item: ItemDetail
  neighbours: Neighbours | undefined
  benefits: readonly string[]
  back: ReactNode
  /** An administrator looks at it as somebody else: with this cover, and a VIP's links or the offer of a membership. */
  preview?: { cover: ReactNode; own: OwnLinks | undefined }
}) {
  const list = `/${freePageOf(item)}`
  return (
    <Card
      item={item}
      path={itemPath(item)}
      back={back}
      cover={preview?.cover ?? <Cover {...coverOf(item)} />}
      head={<CardHead item={item} list={list} badge={item.region === 'asian' ? 'ASIAN CONTENT' : 'WESTERN CONTENT'} />}
      title="Downloads"
      downloads={preview === undefined ? <Downloads item={item} /> : <DownloadList item={item} own={preview.own} />}
    >
      <NearEntries neighbours={neighbours} path={itemPath(item)} list={list} day={item.day} />
      {preview?.own === undefined ? (
        <UpgradePanel slug={item.slug} benefits={benefits} isAlways={preview !== undefined} />
      ) : null}
    </Card>
  )
}

/** The card of an entry, free or VIP. Its last link is the way to report it. */
export function Card({
  item: { slug, name, mirrors },
  path,
  back,
  cover,
  head,
  title,
  downloads,
  children,
}: {
  item: Pick<ItemDetail, 'slug' | 'name' | 'mirrors'>
  path: string
  back: ReactNode
  cover: ReactNode
  head: ReactNode
  /** The heading of its downloads. */
  title: string
  downloads: ReactNode
  children: ReactNode
}) {
  return (
    <article className="card">
      <p className="card-back">{back}</p>
      <div className="card-body">
        <div className="card-cover">{cover}</div>
        <div className="card-main">
          {head}
          <EntryTools slug={slug} name={name} />
          <section className="card-downloads" aria-labelledby="downloads">
            <h2 id="downloads">{title}</h2>
            <MirrorLine mirrors={mirrors} />
            {downloads}
          </section>
        </div>
      </div>
      {children}
      <p className="card-foot">
        <TextLink to={`/report?entry=${path}`} rel="nofollow">
          Report this entry
        </TextLink>
      </p>
    </article>
  )
}

/**
 * The work in words: its title, who made it, what it is about, and its facts. A fact that is not known leaves no gap.
 * @param list the list to which its creators, series, tags and languages lead, such as `/western`
 * @param region is said of works whose list holds both
 * @param isAhead whether the day has yet to come
 */
export function CardHead({
  item,
  list,
  badge,
  region,
  isAhead = false,
}: {
  item: Omit<ItemDetail, 'downloads' | 'gateway' | 'mirrors'>
  list: string
  badge: ReactNode
  region?: string
  isAhead?: boolean
}) {
  const { name, creators = [], alsoKnownAs = [], description, day, language = [], rating, rights, tags = [] } = item
  return (
    <header className="card-head">
      <p className="badge small-caps">{badge}</p>
      <h1 lang={languageOf(name)} dir="auto" data-long={name.length > 80 || undefined}>
        {name}
      </h1>
      {creators.length === 0 && item.series === undefined ? null : (
        <p className="card-by">
          {creators.length === 0 ? null : (
            <span>
              <span className="sr-only">By </span>
              {inARow(creators.map((creator) => <Filtered key={creator} list={list} by="creator" value={creator} />))}
            </span>
          )}
          {item.series === undefined ? null : (
            <span className="card-series">
              {item.seriesNumber === undefined ? 'In ' : `No. ${item.seriesNumber} in `}
              <Filtered list={list} by="series" value={item.series} />
            </span>
          )}
        </p>
      )}
      {alsoKnownAs.length === 0 ? null : (
        <p className="card-also">
          {'Also known as '}
          {inARow(
            alsoKnownAs.map((title) => (
              <cite key={title} lang={languageOf(title)} dir="auto">
                {title}
              </cite>
            )),
          )}
        </p>
      )}
      {description === undefined ? null : (
        <p className="card-words" lang={languageOf(description)} dir="auto">
          {description}
        </p>
      )}
      <dl className="card-facts">
        <Fact name="Year">{yearInWords(item)}</Fact>
        <Fact name={language.length === 1 ? 'Language' : 'Languages'}>
          {language.length === 0
            ? undefined
            : inARow(
                language.map((code, place) => (
                  <Filtered key={code} list={list} by="language" value={code}>
                    {item.languages[place]}
                  </Filtered>
                )),
              )}
        </Fact>
        <Fact name={isAhead ? 'Opens' : 'Entered'}>
          <time dateTime={day}>{longDay(day)}</time>
        </Fact>
        <Fact name="Category">{item.category}</Fact>
        <Fact name="Region">{region}</Fact>
        <Fact name="Rating">{rating === 'mature' ? 'Mature' : undefined}</Fact>
        <Fact name="Rights">
          <Rights rights={rights} />
        </Fact>
      </dl>
      {tags.length === 0 ? null : (
        <ul className="card-tags" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>
              <Filtered list={list} by="tag" value={tag} />
            </li>
          ))}
        </ul>
      )}
    </header>
  )
}

/** A term with its description; nothing without one. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A value that leads to everything of the list that has it. */
function Filtered({
  list,
  by,
  value,
  children,
}: {
  list: string
  by: 'creator' | 'series' | 'tag' | 'language'
  value: string
  children?: ReactNode
}) {
  return (
    <TextLink to={filteredList(list, by, value)}>{children ?? <bdi lang={languageOf(value)}>{value}</bdi>}</TextLink>
  )
}

function inARow(parts: readonly ReactNode[]): ReactNode[] {
  return parts.flatMap((part, place) => (place === 0 ? [part] : [', ', part]))
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
