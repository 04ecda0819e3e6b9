import type { ComponentProps, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'

const looks = {
  plain: 'button',
  solid: 'button button-solid',
  quiet: 'button button-quiet',
  link: 'text-link',
} as const

interface Face {
  look?: keyof typeof looks
  label: ReactNode
  /** Goes on from the label for screen readers, where several have the same one. */
  about?: string | undefined
}

/** A button of a page; that which sends a form is the form's own. While it is busy it keeps the focus and has no effect. */
export function Button({
  look = 'plain',
  label,
  about,
  isBusy,
  onClick,
  ...element
}: Face & { isBusy?: boolean; onClick: () => void } & Omit<
    ComponentProps<'button'>,
    'type' | 'className' | 'children' | 'onClick' | 'aria-disabled'
  >) {
  return (
    <button
      {...element}
      type="button"
      className={looks[look]}
      aria-disabled={isBusy}
      onClick={() => {
        if (isBusy !== true) onClick()
      }}
    >
      <Words label={label} about={about} />
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  look = 'plain',
  label,
  about,
  ...link
}: Face & Omit<LinkProps, 'className' | 'children'>) {
  return (
    <Link {...link} className={looks[look]}>
      <Words label={label} about={about} />
    </Link>
  )
}

function Words({ label, about }: Pick<Face, 'label' | 'about'>) {
  return (
    <>
      {label}
      {about === undefined ? null : <span className="sr-only">{about}</span>}
    </>
  )
}

export function TextLink(link: Omit<LinkProps, 'className'>) {
  return <Link {...link} className={looks.link} />
}
