import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { Command } from '../../../ui/command.tsx'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { StatePage } from '../../../ui/state-page.tsx'

export const handle = {
  title: (pathname) => screenAt(pathname)?.name ?? 'Administration',
} satisfies TitledPage

export const meta = guardedMeta

export default function ComingSoon() {
  const { pathname } = useLocation()
  const screen = screenAt(pathname)
  return (
    <div className="column">
      <StatePage
        drawing="shut"
        title={screen?.title}
        steps={
          <Link className="button" to="/admin/billing">
            Billing
          </Link>
        }
      >
        <p>{screen?.instead}</p>
      </StatePage>
    </div>
  )
}

function screenAt(pathname: string): (typeof adminScreens)[string] | undefined {
  return adminScreens[pathname.replace(/\/+$/, '')]
}

/** The administrators' tasks, and where each is done until its screen is built. */
const adminScreens: Record<string, { name: string; title: string; instead: ReactNode }> = {
  '/admin/settings': {
    name: 'Settings',
    title: 'Content administration is not part of this version.',
    instead: (
      <>
        Entries are added and changed with the command line, with the server stopped while it uses the embedded
        database: <Command line="npm run daybook -- import FILE --publish --create-categories" />. The columns are
        explained in docs/import-and-export.md.
      </>
    ),
  },
  '/admin/requests': {
    name: 'Requests',
    title: 'Content requests are not part of this version.',
    instead: 'Members cannot send requests yet, so none are waiting for you.',
  },
}
