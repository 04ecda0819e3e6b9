import type { ReactNode } from 'react'
import { Spinner } from './spinner.tsx'
import './work-page.css'

/** A page of work: its name, what it is for in one line, its actions, and sections below one another. */
export function WorkPage({
  title,
  lead,
  actions,
  children,
}: {
  title: string
  lead: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="column work-page">
      <header className="work-head">
        <div>
          <h1>{title}</h1>
          <p>{lead}</p>
        </div>
        {actions === undefined ? null : <div className="work-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A part of a page of work, under a heading of its own. */
export function WorkSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="work-section">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** Search, filters and counts above a list; they fold over several lines. */
export function WorkTools({ children }: { children: ReactNode }) {
  return <div className="work-tools">{children}</div>
}

/** While the first answer is on its way: as high as what usually takes its place, so that little moves. */
export function WorkWaiting() {
  return (
    <div className="work-waiting">
      <Spinner />
    </div>
  )
}
