import { type ReactNode, type Ref, useId } from 'react'

/** A part of the account page: its heading in the margin, and what belongs to it beside. */
export function AccountPart({
  title,
  id,
  titleRef,
  children,
}: {
  title: string
  id?: string
  /** The heading takes the focus when what had it is gone. */
  titleRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}) {
  const titleId = useId()
  return (
    <section className="account-part" id={id} aria-labelledby={titleId}>
      <h2 id={titleId} ref={titleRef} tabIndex={titleRef === undefined ? undefined : -1}>
        {title}
      </h2>
      <div className="account-body">{children}</div>
    </section>
  )
}
