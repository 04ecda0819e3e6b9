import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { NearEntry, Neighbours } from '../../item/neighbours-schema.ts'
import { languageOf } from '../list/language-of.ts'
import { Pager } from './pager.tsx'
import './near-entries.css'

/**
 * The way on from an entry: its series, others by its creators and of its day, and the rows next to it in its list. A part
 * without entries leaves no gap.
 */
export function NearEntries({
  neighbours,
  path,
}: {
  /** Undefined until they are known. */
  neighbours: Neighbours | undefined
  /** The entry's own address. */
  path: string
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
              entries={moreBy.entries}
              isOfOne
            />
          )}
          {sameDay === undefined ? null : <Near title="Entered the same day" entries={sameDay.entries} />}
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
          <li key={volume.path}>
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

/** @param isOfOne whether all are by the one who is named above */
function Near({
  title,
  entries,
  isOfOne = false,
}: {
  title: ReactNode
  entries: readonly NearEntry[]
  isOfOne?: boolean
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
    </section>
  )
}
