import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useRevalidator } from 'react-router'
import { subscribeChanges } from '../../../../browser/follow-changes.ts'
import { fetches, useApiQuery } from '../../../../browser/queries.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { adminNav } from '../../admin-links.ts'
import { WaitingList } from '../../home/admin-home-schema.ts'
import { AdminSearch } from './admin-search.tsx'
import './admin-nav.css'
import { recordChangedSite } from '../../../../browser/changed-site.ts'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { SiteTextsForAdmin } from '../../../office/texts/texts-schema.ts'

const countAgainAfterMs = 60_000
/** Several changes at once are counted once. */
const afterChangeMs = 250

/**
 * The one navigation of the administration: a rail at the left, or a menu above the page where there is no room for it.
 * A count beside a link shows waiting work.
 */
export function AdminNav() {
  const { pathname } = useLocation()
  /** The address where the menu was opened: a link or Back leads to another one, and closes it. */
  const [openedAt, setOpenedAt] = useState<string>()
  const isOpen = openedAt === pathname
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const counts = useWaitingCounts()
  useChangedTexts()
  const here = adminNav
    .flatMap(({ links }) => links)
    .find(({ to, above }) => [to, ...above].some((path) => isAt(pathname, path)))
  const current = here?.to
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)

  // In a low window the rail scrolls by itself: the current link is in sight.
  useEffect(() => {
    const link = list.current?.querySelector(`a[href="${current}"]`)
    if (list.current === null || link == null) return
    const below = link.getBoundingClientRect().bottom - list.current.getBoundingClientRect().bottom
    if (below > 0) list.current.scrollTop += below
  }, [current])

  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return
    setOpenedAt(undefined)
    button.current?.focus()
  }

  return (
    <nav className="column admin-nav" aria-label="Administration" onKeyDown={closeOnEscape}>
      <div className="admin-rail">
        <div className="admin-nav-top">
          <button
            ref={button}
            type="button"
            className="button admin-nav-toggle"
            aria-expanded={isOpen}
            aria-controls="admin-nav-groups"
            onClick={() => setOpenedAt(isOpen ? undefined : pathname)}
          >
            <Icon name="menu" />
            <span>{here === undefined ? 'Administration' : <Place label={here.label} />}</span>
            <Count count={total} />
          </button>
          <AdminSearch />
        </div>
        <ul ref={list} id="admin-nav-groups" className={isOpen ? 'admin-nav-groups is-open' : 'admin-nav-groups'}>
          {adminNav.map(({ group, label, links }) => (
            <li key={group}>
              <span className={group === 'overview' ? 'sr-only' : 'admin-nav-label'} id={`admin-nav-${group}`}>
                {label}
              </span>
              <ul aria-labelledby={`admin-nav-${group}`}>
                {links.map(({ to, label: name }) => (
                  <li key={to}>
                    <Link to={to} aria-current={to === current ? (to === pathname ? 'page' : 'true') : undefined}>
                      {name}
                      <Count count={counts.get(to) ?? 0} />
                    </Link>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  )
}

function Place({ label }: { label: string }) {
  return (
    <>
      <span className="admin-nav-room">Administration: </span>
      {label}
    </>
  )
}

function Count({ count }: { count: number }) {
  return (
    <span className="admin-nav-count">
      {count === 0 ? null : (
        <>
          {count > 999 ? '999+' : count}
          <span className="sr-only"> waiting</span>
        </>
      )}
    </span>
  )
}

/** Counts of waiting work, by the path of its page. Without an answer there are no counts: the home tells why. */
function useWaitingCounts(): ReadonlyMap<string, number> {
  const { data, refetch } = useApiQuery({
    ...fetches('/api/admin/waiting', WaitingList),
    refetchAfterMs: () => (document.visibilityState === 'visible' ? countAgainAfterMs : false),
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = subscribeChanges(() => {
      clearTimeout(timer)
      timer = setTimeout(refetch, afterChangeMs)
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [refetch])
  const counts = new Map<string, number>()
  for (const { to, count } of data?.waiting ?? []) {
    const path = to.split('?')[0] ?? to
    counts.set(path, (counts.get(path) ?? 0) + count)
  }
  return counts
}

function isAt(pathname: string, to: string): boolean {
  return pathname === to || (to !== '/admin' && pathname.startsWith(`${to}/`))
}

const pagesOfTexts = new Set(['/admin/texts', '/admin/appearance'])

/** Has the header, the footer and the titles follow when a text of the site is saved: here at once. */
function useChangedTexts(): void {
  const { pathname } = useLocation()
  const { revalidate } = useRevalidator()
  // These pages ask for the same: it is one answer.
  const { data } = useAdminQuery('/api/texts', SiteTextsForAdmin, { isEnabled: pagesOfTexts.has(pathname) })
  const versions = data?.texts.map(({ key, version }) => `${key} ${version}`).join('\n')
  const known = useRef(versions)
  useEffect(() => {
    const before = known.current
    known.current = versions
    if (before === undefined || versions === undefined || before === versions) return
    recordChangedSite()
    void revalidate()
  }, [versions, revalidate])
}
