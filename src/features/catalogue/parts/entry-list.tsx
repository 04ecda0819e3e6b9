import { memo, useEffect, useMemo, useRef, type MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { type ContentType, isVipType, itemPath } from '../content-type.ts'
import type { ItemRow } from '../listing.ts'
import { fromList } from './back-to-list.tsx'
import { type DayGroup, groupByDay, wordsOfDay } from './by-day.ts'
import { languageOf } from './language-of.ts'
import { RowPrefetch } from './row-prefetch.tsx'
import './entry-list.css'

/** How many of the rows loaded first are marked as new (PRODUCT.md, section 9). */
const newest = 5

const typeNames: Record<ContentType, string> = {
  asian: 'Asian',
  western: 'Western',
  banned: 'Banned',
  unknown: 'Unknown',
  vip: 'VIP',
  'vip-asian': 'VIP',
  'vip-western': 'VIP',
  'vip-banned': 'VIP',
  'vip-unknown': 'VIP',
}

/** The entries under their dates. Rows are plain links without classes or handlers of their own: a page holds hundreds. */
export const EntryList = memo(function EntryList({ rows, isStale }: { rows: readonly ItemRow[]; isStale: boolean }) {
  const groups = useMemo(() => groupByDay(rows), [rows])
  const list = useRef<HTMLDivElement>(null)
  const follow = useFollow()
  let before = 0

  useEffect(() => {
    if (rows.length < fewRows) return undefined
    const timer = window.setTimeout(() => skipFarDays(list.current), settledAfterMs)
    return () => window.clearTimeout(timer)
  }, [rows])

  return (
    <div ref={list} className="entries" data-stale={isStale || undefined} aria-busy={isStale} onClick={follow}>
      <RowPrefetch list={list} />
      {groups.map((group) => {
        const fresh = Math.min(Math.max(0, newest - before), group.rows.length)
        before += group.rows.length
        return <Day key={`${group.day} ${group.rows[0]?.slug}`} group={group} fresh={fresh} />
      })}
    </div>
  )
})

/** A list so short is laid out and painted whole. */
const fewRows = 100

/** When a list that has appeared stands still, with its scroll position restored. */
const settledAfterMs = 300

/**
 * Lets the browser leave out days that are far from what is seen, while thousands are loaded. Not before the list has
 * been laid out once: only then are true heights known, and Back finds its place to the pixel. Not what is near: to
 * leave it out and bring it back would count as a jump.
 */
function skipFarDays(list: HTMLElement | null): void {
  const near = window.innerHeight * 2
  const far = [...(list?.children ?? [])].filter((day) => {
    const { top, bottom } = day.getBoundingClientRect()
    return bottom < -near || top > window.innerHeight + near
  })
  for (const day of far) day.classList.add('is-far')
}

const Day = memo(
  function Day({ group, fresh }: { group: DayGroup; fresh: number }) {
    return (
      <section>
        <DateHeading day={group.day} />
        <ul>
          {group.rows.map((row, index) => (
            <Entry key={row.slug} row={row} isNew={index < fresh} />
          ))}
        </ul>
      </section>
    )
  },
  (one, other) =>
    one.fresh === other.fresh &&
    (one.group === other.group ||
      (one.group.rows.length === other.group.rows.length &&
        one.group.rows.every((row, index) => row === other.group.rows[index]))),
)

/** Reads 'March 05, 2024'; the spine of a wide page shows the day large, which is the style sheet's business. */
function DateHeading({ day }: { day: string }) {
  const words = wordsOfDay(day)
  if (words === undefined) return <h2>Invalid Date</h2>
  return (
    <h2>
      {`${words.month} `}
      <b>{words.day}</b>
      <i>, </i>
      {words.year}
    </h2>
  )
}

function Entry({ row, isNew }: { row: ItemRow; isNew: boolean }) {
  const { name, category, contentType } = row
  const isLong = name.length > 40
  return (
    <li>
      <a
        className={isVipType(contentType) ? 'vip' : contentType}
        href={itemPath(row)}
        title={isLong ? name : undefined}
      >
        <span lang={languageOf(name)} dir={isRightToLeft(name) ? 'rtl' : undefined}>
          {name}
        </span>
        {isNew ? <b>NEW</b> : null}
        <i>{typeNames[contentType]}</i>
        <small>{category}</small>
      </a>
    </li>
  )
}

function isRightToLeft(name: string): boolean {
  return /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(name)
}

/** The nearest names, offered when nothing matched: rows without dates. */
export function NearestList({ rows }: { rows: readonly ItemRow[] }) {
  const follow = useFollow()
  return (
    <div className="entries entries-plain" onClick={follow}>
      <ul>
        {rows.map((row) => (
          <Entry key={row.slug} row={row} isNew={false} />
        ))}
      </ul>
    </div>
  )
}

/** Lets plain clicks on the links inside go by the router, with one handler for all of them. */
function useFollow(): (event: MouseEvent<HTMLElement>) => void {
  const navigate = useNavigate()
  return (event) => {
    const link = (event.target as Element).closest('a')
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (link === null || !isPlain || event.defaultPrevented) return
    event.preventDefault()
    void navigate(link.pathname, { state: fromList })
  }
}
