import { useEffect, useId, useState } from 'react'
import { useLocation } from 'react-router'
import { type KeptPage, listKeptPages } from '../../../browser/kept/kept-pages.ts'
import { useSession } from '../../../browser/session-store.ts'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { StatePage } from '../../../ui/state-page.tsx'
import { useIsHydrated } from '../../../ui/use-is-hydrated.ts'
import { accountsContext } from '../../accounts/page-context.ts'
import type { Route } from './+types/offline.ts'
import './offline.css'

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(accountsContext).texts.inForce.brandName }
}

export const meta = unindexedMeta('Offline')

/** Stands in for a page that cannot be fetched, whose address is behind the `#`, and leads to those that are kept. */
export default function Offline() {
  const { hash } = useLocation()
  // The server does not know it.
  const isHydrated = useIsHydrated()
  const { session } = useSession()
  const [kept, setKept] = useState<readonly KeptPage[]>()
  useEffect(() => {
    // A browser may refuse its storage: nothing is kept then.
    listKeptPages().then(setKept, () => setKept([]))
  }, [])
  const wanted = isHydrated ? addressIn(hash) : '/'
  return (
    <div className="column">
      <StatePage
        drawing="shut"
        title="The site cannot be reached"
        steps={
          <a className="button" href={wanted}>
            Try again
          </a>
        }
      >
        <p>
          {(kept?.length ?? 0) === 0
            ? 'Check your connection, and try again.'
            : 'Check your connection, and try again. These pages open without one.'}
        </p>
      </StatePage>
      {session === undefined ? null : (
        <KeptPages title="Saved entries" pages={kept?.filter(({ isSaved }) => isSaved)} />
      )}
      <KeptPages title="Read lately" pages={kept?.filter(({ isSaved }) => !isSaved)} />
    </div>
  )
}

/** The address behind the `#`, of this site alone: a backslash counts as a slash, and two of them lead to another one. */
function addressIn(hash: string): string {
  const wanted = hash.slice(1)
  const isOwn = URL.canParse(wanted, location.origin) && new URL(wanted, location.origin).origin === location.origin
  return isOwn ? wanted : '/'
}

function KeptPages({ title, pages }: { title: string; pages: readonly KeptPage[] | undefined }) {
  const id = useId()
  if (pages === undefined || pages.length === 0) return null
  return (
    <section className="kept-pages" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {pages.map(({ path, title: name }) => (
          <li key={path}>
            {/* Whole: the data alone are not kept. */}
            <a className="text-link" href={path}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
