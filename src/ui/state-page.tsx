import type { ReactNode } from 'react'
import { Drawing, type DrawingName } from './drawing.tsx'

export function StatePage({
  drawing,
  title,
  level = 1,
  children,
  steps,
}: {
  drawing: DrawingName
  title: ReactNode
  /** 2 where the page already has a heading of its own. */
  level?: 1 | 2
  children?: ReactNode
  steps?: ReactNode
}) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className="state">
      <Drawing name={drawing} />
      <Heading>{title}</Heading>
      {children}
      {steps === undefined ? null : <div className="steps">{steps}</div>}
    </div>
  )
}
