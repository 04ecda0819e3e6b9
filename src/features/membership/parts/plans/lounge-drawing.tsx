import type { ReactNode } from 'react'

/* Drawn like the states of the house (ui/drawing.tsx): lines of one weight on paper, one thing in ink. */

const features = {
  /** A row of books, one of them in gold. */
  shelf: (
    <>
      <path d="M4 50h64" />
      <path className="paper" d="M10 18h9v32h-9zM19 12h8v38h-8zM45 16h10v34H45z" />
      <path className="solid" d="M29.500 8h13v42h-13z" />
      <path className="faint" d="M12.500 24h4M12.500 44h4M21.500 18h3M21.500 44h3M48 22h4M48 44h4" />
      <path className="paper" d="m56.500 21.500 7-2 8 29-7 2Z" />
    </>
  ),
  /** A leaf on which nothing stands but what one came to read. */
  clear: (
    <>
      <path className="paper" d="M18 6h28l10 10v36H18Z" />
      <path d="M46 6v10h10" />
      <path className="faint" d="M25 24h24M25 31h24M25 38h24M25 45h15" />
      <path className="solid" d="M25 6h6v15l-3-3-3 3Z" />
    </>
  ),
  /** The bell on the desk of the library. */
  bell: (
    <>
      <path d="M8 50h56" />
      <path className="paper" d="M14 43a22 22 0 0 1 44 0Z" />
      <path className="faint" d="M21 38a15 15 0 0 1 9-9.500" />
      <path d="M11 43h50v4.500H11zM36 21v-5" />
      <circle className="solid" cx="36" cy="13.500" r="4" />
      <path className="inked" d="m57 14 5-4M61 22l6-1.500M15 14l-5-4M11 22l-6-1.500" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type FeatureDrawingName = keyof typeof features

/** A small one, beside the name of what a membership brings. */
export function FeatureDrawing({ name }: { name: FeatureDrawingName }) {
  return (
    <svg className="drawing" viewBox="0 0 72 56" aria-hidden="true">
      {features[name]}
    </svg>
  )
}

const slip = <path className="paper" d="M42 8h60v88l-7.500-6-7.500 6-7.500-6-7.500 6-7.500-6-7.500 6-7.500-6L42 96Z" />

const payments = {
  /** The slip of the till, with its last line still open. */
  confirming: (
    <>
      {slip}
      <path className="faint" d="M54 26h36M54 38h36M54 50h24" />
      <path className="inked" strokeDasharray="4 5" d="M54 68h36" />
    </>
  ),
  /** The book lies open, under a crown. */
  welcome: (
    <>
      <path className="paper" d="M72 38C60 30 40 28 18 31v64c22-3 42-1 54 7 12-8 32-10 54-7V31c-22-3-42-1-54 7Z" />
      <path d="M72 38v64" />
      <path
        className="faint"
        d="M28 46c12-1 24 0 34 4M28 58c12-1 24 0 34 4M28 70c12-1 24 0 34 4M82 50c10-4 22-5 34-4M82 62c10-4 22-5 34-4M82 74c10-4 22-5 34-4"
      />
      <path className="solid" d="M58 22 54.500 6l9 6L72 2l8.500 10 9-6L86 22Z" />
    </>
  ),
  /** The slip with a line through it. */
  unpaid: (
    <>
      {slip}
      <path className="faint" d="M54 26h36M54 38h36M54 50h24" />
      <circle className="paper" cx="102" cy="78" r="17" />
      <path className="inked" d="m95 71 14 14M109 71 95 85" />
    </>
  ),
} satisfies Record<string, ReactNode>

/** A page about a payment: a drawing, what happened, and the way on. */
export function PaymentState({
  drawing,
  title,
  children,
  steps,
}: {
  drawing: keyof typeof payments
  title: string
  children?: ReactNode
  steps?: ReactNode
}) {
  return (
    <div className="state">
      <svg className="drawing" viewBox="0 0 144 112" aria-hidden="true">
        {payments[drawing]}
      </svg>
      <h1>{title}</h1>
      {children}
      {steps === undefined ? null : <div className="steps">{steps}</div>}
    </div>
  )
}
