import { type ReactNode, type RefObject, useId, useState } from 'react'
import { Drawing } from './drawing.tsx'
import { Icon } from './icon.tsx'
import { Spinner } from './spinner.tsx'
import './work-page.css'

/**
 * A page of work: its name, what it is for in one line, its actions, and sections below one another. On a telephone
 * the actions stand beside the name, and those that fold behind a button.
 */
export function WorkPage({
  title,
  heading,
  lead,
  actions,
  moreActions,
  children,
}: {
  title: ReactNode
  /** Where the name may take the focus. */
  heading?: RefObject<HTMLHeadingElement | null>
  lead: ReactNode
  actions?: ReactNode
  /** They fold on a telephone. */
  moreActions?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="column work-page">
      <header className="work-head">
        <div className="work-name">
          <h1 ref={heading} tabIndex={heading === undefined ? undefined : -1}>
            {title}
          </h1>
          <p>{lead}</p>
        </div>
        {actions === undefined && moreActions === undefined ? null : (
          <div className="work-actions">
            {actions}
            {moreActions === undefined ? null : <WorkFold label="More">{moreActions}</WorkFold>}
          </div>
        )}
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

/**
 * Search, filters and counts above a list; they fold over several lines. Beside a search, the rest folds behind one
 * button on a telephone.
 * @param isSet whether something that folds is in force: the button says so
 */
export function WorkTools({
  search,
  isSet = false,
  children,
}: {
  search?: ReactNode
  isSet?: boolean
  children: ReactNode
}) {
  if (search === undefined) return <div className="work-tools">{children}</div>
  return (
    <div className="work-tools">
      {search}
      <WorkFold label="Filters" isSet={isSet}>
        {children}
      </WorkFold>
    </div>
  )
}

/**
 * Folds behind a button on a telephone. On wider screens it is open, without a button.
 * @param isSet whether something in it is in force: the button says so
 */
export function WorkFold({ label, isSet = false, children }: { label: string; isSet?: boolean; children: ReactNode }) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={isSet ? 'button work-fold-button is-set' : 'button work-fold-button'}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {label}
        {isSet ? <span className="sr-only"> (set)</span> : null}
        <Icon name="down" size={16} />
      </button>
      <div id={id} className={isOpen ? 'work-fold is-open' : 'work-fold'}>
        {children}
      </div>
    </>
  )
}

export function WorkEmpty({ step, children }: { step?: ReactNode; children: ReactNode }) {
  return (
    <div className="work-empty">
      <Drawing name="empty" />
      <p>{children}</p>
      {step}
    </div>
  )
}

/** While the first answer is on its way: as high as what usually takes its place, so that little moves. */
export function WorkWaiting() {
  return (
    <div className="work-waiting">
      <Spinner />
    </div>
  )
}
