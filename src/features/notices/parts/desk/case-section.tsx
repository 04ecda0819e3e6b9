import type { ReactNode, RefObject } from 'react'

/** A part of the page, under a heading that the keyboard can be led to. */
export function CaseSection({
  title,
  heading,
  children,
}: {
  title: string
  heading?: RefObject<HTMLHeadingElement | null>
  children: ReactNode
}) {
  return (
    <section className="work-section" aria-label={title}>
      <h2 {...(heading === undefined ? {} : { ref: heading, tabIndex: -1 })}>{title}</h2>
      {children}
    </section>
  )
}
