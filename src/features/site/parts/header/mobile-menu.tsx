import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Icon } from '../../../../ui/icon.tsx'
import { HeaderAnchor, type HeaderLink } from './header-link.tsx'

/** The state of a history entry while the menu is open on it. */
export interface MenuState {
  menu?: boolean
}

/**
 * The links of the header on a narrow screen. Being open is an entry of the history, so that the back button closes it;
 * Escape is the dialog's own, and a link takes the entry's place.
 */
export function MobileMenu({
  links,
  heading,
  children,
}: {
  links: HeaderLink[]
  /** With one the menu fills the screen. */
  heading?: string
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const navigate = useNavigate()
  const { pathname, search, hash, state } = useLocation() as ReturnType<typeof useLocation> & {
    state: MenuState | null
  }
  const isOpen = state?.menu === true

  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal()
    if (!isOpen && dialog.current?.open === true) dialog.current.close()
  }, [isOpen])

  const close = (): void => {
    if (isOpen) void navigate(-1)
  }

  return (
    <>
      <button
        type="button"
        className="button button-icon menu-open with-script"
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() =>
          void navigate({ pathname, search, hash }, { state: { ...state, menu: true }, preventScrollReset: true })
        }
      >
        <Icon name="menu" size={24} />
      </button>
      <dialog
        ref={dialog}
        className={heading === undefined ? 'menu' : 'menu menu-full'}
        aria-label={heading ?? 'Menu'}
        onClose={close}
        onClick={(event) => {
          if (event.target === event.currentTarget) event.currentTarget.close()
        }}
      >
        <div className="menu-sheet">
          <div className="menu-top">
            {heading === undefined ? null : <h2 className="small-caps">{heading}</h2>}
            <button type="button" className="button button-icon menu-close" aria-label="Close menu" onClick={close}>
              <Icon name="close" size={24} />
            </button>
          </div>
          <nav aria-label="Menu">
            <ul>
              {links.map((link) => (
                <li key={link.label}>
                  <HeaderAnchor link={link} replace />
                </li>
              ))}
            </ul>
          </nav>
          {children}
        </div>
      </dialog>
    </>
  )
}
