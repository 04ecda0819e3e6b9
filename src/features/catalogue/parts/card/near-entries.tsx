import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { TextLink } from '../../../../ui/button.tsx'
import type { NearEntry, Neighbours } from '../../item/neighbours-schema.ts'
import { languageOf } from '../list/language-of.ts'
import { filteredList } from './filtered-list.ts'
import { Pager } from './pager.tsx'
import './near-entries.css'

/**
 * The way on from an entry: its series, others by its creators and of its day, and the rows next to it in its list. A part
 * without entries leaves no gap.
 */
export function NearEntries({
  neighbours,
  path,
  list,
  day,
}: {
  /** Undefined until they are known. */
  neighbours: Neighbours | undefined
  path: string
  list: string
  /** Its day, `YYYY-MM-DD`. */
  day: string
}) {
  const { volumes = [], moreBy, sameDay, previous, next } = neighbours ?? {}
  return (
    <>
      {volumes.length === 0 ? null : <Volumes volumes={volumes} path={path} />}
      {moreBy === undefined && sameDay === undefined ? null : (
        <div className="near">
          {moreBy === undefined ? null : (
            <Near
              title={
                <>
                  More by <bdi lang={languageOf(moreBy.creator)}>{moreBy.creator}</bdi>
                </>
              }
              {...moreBy}
              isOfOne
              all={
                <>
                  See all<span className="sr-only"> by {moreBy.creator}</span>
                </>
              }
              to={filteredList(list, 'creator', moreBy.creator)}
            />
          )}
          {sameDay === undefined ? null : (
            <Near
              title="Entered the same day"
              {...sameDay}
              all="See the whole day"
              to={filteredList(list, 'at', day)}
            />
          )}
        </div>
      )}
      <Pager previous={previous} next={next} path={path} />
    </>
  )
}

function Volumes({ volumes, path }: Pick<Neighbours, 'volumes'> & { path: string }) {
  const isNumbered = volumes.every(({ number }) => number !== undefined)
  return (
    <nav className="volumes" aria-label="Series">
      <p aria-hidden="true">{isNumbered ? 'Volumes' : 'In this series'}</p>
      <ul>
        {volumes.map((volume) => (
          <li key={volume.path} data-gap={volume.isBehindGap}>
            <Link
              to={volume.path}
              title={volume.name}
              aria-current={volume.path === path ? 'page' : undefined}
              data-named={volume.number === undefined || undefined}
            >
              {volume.number === undefined ? null : volume.number}
              <span className={volume.number === undefined ? undefined : 'sr-only'} lang={languageOf(volume.name)}>
                {volume.number === undefined ? volume.name : `: ${volume.name}`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/**
 * @param isOfOne whether all are by the one who is named above
 * @param all says where the rest is
 */
function Near({
  title,
  entries,
  hasMore,
  isOfOne = false,
  all,
  to,
}: {
  title: ReactNode
  entries: readonly NearEntry[]
  hasMore: boolean
  isOfOne?: boolean
  all: ReactNode
  to: { pathname: string; search: string }
}) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {entries.map((entry) => (
          <li key={entry.path}>
            <Link to={entry.path}>
              <bdi lang={languageOf(entry.name)}>{entry.name}</bdi>
              {isOfOne || entry.creators === undefined ? null : <small>{entry.creators}</small>}
            </Link>
          </li>
        ))}
      </ul>
      {hasMore ? (
        <p>
          <TextLink to={to}>{all}</TextLink>
        </p>
      ) : null}
    </section>
  )
}
