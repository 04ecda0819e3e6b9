import type { ReactNode } from 'react'
import { NavLink, useLocation } from 'react-router'
import { ButtonLink } from '../../../../ui/button.tsx'
import { useSession } from '../../../../browser/session-store.ts'
import { Spinner } from '../../../../ui/spinner.tsx'
import { StatePage } from '../../../../ui/state-page.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { wayTo } from '../../../accounts/parts/auth-links.ts'
import { readersPages } from './readers-pages.ts'
import './readers-page.css'

/** One of these pages. It is a shell: the content comes with the session. */
export function ReadersPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const { isSettled, session } = useSession()
  const { pathname } = useLocation()
  if (isSettled && session === undefined) {
    return (
      <div className="column">
        <StatePage
          drawing="shut"
          title={title}
          steps={<ButtonLink look="solid" label="Sign in" to={wayTo('/login', pathname)} />}
        >
          <p>You are not signed in.</p>
        </StatePage>
      </div>
    )
  }
  return (
    <WorkPage title={title} lead={lead}>
      <nav className="readers-nav" aria-label="Your reading">
        {readersPages.map((page) => (
          <NavLink key={page.path} to={page.path}>
            {page.short}
          </NavLink>
        ))}
      </nav>
      {session === undefined ? (
        <>
          <div className="with-script">
            <Spinner />
          </div>
          <p className="without-script">This page needs JavaScript. Please allow it for this site.</p>
        </>
      ) : (
        <div key={session.email} className="readers-body">
          {children}
        </div>
      )}
    </WorkPage>
  )
}
