import { useEffect, useId, useState } from 'react'
import { useLocation } from 'react-router'
import { type KeptPage, listKeptPages } from '../../../browser/kept/kept-pages.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { StatePage } from '../../../ui/state-page.tsx'
import { useIsHydrated } from '../../../ui/use-is-hydrated.ts'
import { accountsContext } from '../../accounts/page-context.ts'
import type { Route } from './+types/offline.ts'
import './offline.css'

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(accountsContext).texts.inForce.brandName }
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Offline', brand: loaderData?.brandName ?? 'Offline', indexed: false })
}

/** Stands in for a page that cannot be fetched, whose address is behind the `#`, and leads to those that are kept. */
export default function Offline() {
  const { hash } = useLocation()
  // The server does not know it.
  const isHydrated = useIsHydrated()
  const [kept, setKept] = useState<readonly KeptPage[]>()
  useEffect(() => {
    // A browser may refuse its storage: nothing is kept then.
    listKeptPages().then(setKept, () => setKept([]))
  }, [])
  // An address of this site alone: `//` would lead to another one.
  const wanted = isHydrated && /^#\/(?!\/)/.test(hash) ? hash.slice(1) : '/'
  return (
    <div className="column">
      <StatePage
        drawing="shut"
        title="You are offline"
        steps={
          <a className="button" href={wanted}>
            Try again
          </a>
        }
      >
        <p>
          {kept?.length === 0
            ? 'This page needs a connection.'
            : 'This page needs a connection. These open without one.'}
        </p>
      </StatePage>
      <KeptPages title="Saved entries" pages={kept?.filter(({ isSaved }) => isSaved)} />
      <KeptPages title="Read lately" pages={kept?.filter(({ isSaved }) => !isSaved)} />
    </div>
  )
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
