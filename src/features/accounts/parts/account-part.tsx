import { type ReactNode, type Ref, useId } from 'react'

/** A part of the account page: its heading in the margin, and what belongs to it beside. */
export function AccountPart({
  title,
  titleRef,
  children,
}: {
  title: string
  /** The heading takes the focus when what had it is gone. */
  titleRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className="account-part" aria-labelledby={id}>
      <h2 id={id} ref={titleRef} tabIndex={titleRef === undefined ? undefined : -1}>
        {title}
      </h2>
      <div className="account-body">{children}</div>
    </section>
  )
}
