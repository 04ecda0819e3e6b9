import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Moment } from '../../../../browser/moment.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import type { AdminHome } from '../../home/admin-home-schema.ts'
import './admin-home.css'

/** Failures first, then waiting work. First steps stand above both until they are done. */
export function AdminHomeLists({ home, answeredAt }: { home: AdminHome; answeredAt: number }) {
  const { firstSteps, waiting, problems, unread } = home
  const open = firstSteps.filter(({ isDone }) => !isDone).length
  const areStepsDone = open === 0 && unread.firstSteps === 0
  return (
    <>
      {problems.length === 0 && unread.problems === 0 ? null : (
        <WorkSection title="What went wrong">
          <ul className="home-list">
            {problems.map(({ sentence, at, to }) => (
              <li key={sentence} className="home-line is-problem">
                <Line to={to}>{sentence}</Line>
                {at === null ? null : (
                  <span className="work-aside">
                    <Moment at={at} now={answeredAt} />
                  </span>
                )}
              </li>
            ))}
          </ul>
          <Unread count={unread.problems} />
        </WorkSection>
      )}
      {areStepsDone ? null : <FirstSteps home={home} />}
      <WorkSection title="What waits for you">
        {waiting.length === 0 && unread.waiting === 0 ? (
          <p className="work-aside">Nothing is waiting for you.</p>
        ) : null}
        <ul className="home-list">
          {waiting.map(({ sentence, to }) => (
            <li key={sentence} className="home-line">
              <Line to={to}>{sentence}</Line>
            </li>
          ))}
        </ul>
        <Unread count={unread.waiting} />
      </WorkSection>
      {areStepsDone && firstSteps.length > 0 ? (
        <details className="home-done">
          <summary>All first steps are done</summary>
          <Steps steps={firstSteps} />
        </details>
      ) : null}
    </>
  )
}

function FirstSteps({ home: { firstSteps, unread } }: { home: AdminHome }) {
  const done = firstSteps.filter(({ isDone }) => isDone).length
  return (
    <WorkSection title="First steps">
      <p className="work-aside">{`${done} of ${firstSteps.length} done`}</p>
      <Steps steps={firstSteps} />
      <Unread count={unread.firstSteps} />
    </WorkSection>
  )
}

function Steps({ steps }: { steps: AdminHome['firstSteps'] }) {
  return (
    <ol className="home-list">
      {steps.map(({ title, isDone, help, to }) => (
        <li key={title} className={isDone ? 'home-line home-step is-done' : 'home-line home-step'}>
          <span className="home-mark">{isDone ? <Icon name="check" size={16} /> : null}</span>
          <div>
            <p>
              <Line to={to}>{title}</Line>
              <span className="sr-only">{isDone ? ' (done)' : ' (not done yet)'}</span>
            </p>
            <p className="work-aside">{help}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}

function Line({ to, children }: { to: string | null; children: ReactNode }) {
  if (to === null) return <span>{children}</span>
  return (
    <Link className="work-link" to={to}>
      {children}
    </Link>
  )
}

function Unread({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p className="work-aside">
      {count === 1
        ? 'One part of this list could not be read. The log says why.'
        : `${count} parts of this list could not be read. The log says why.`}
    </p>
  )
}
