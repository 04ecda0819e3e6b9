import { useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { Icon } from '../../../ui/icon.tsx'
import { HeaderAnchor, type HeaderLink } from './header-link.tsx'

/**
 * The links of the header on a narrow screen. Being open is an entry of the history, so that the back button closes it;
 * Escape is the dialog's own, and a link takes the entry's place.
 */
export function MobileMenu({ links }: { links: HeaderLink[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const navigate = useNavigate()
  const { pathname, search, hash, state } = useLocation() as ReturnType<typeof useLocation> & {
    state: { menu?: boolean } | null
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
        className="menu"
        aria-label="Menu"
        onClose={close}
        onClick={(event) => {
          if (event.target === event.currentTarget) event.currentTarget.close()
        }}
      >
        <div className="menu-sheet">
          <button type="button" className="button button-icon menu-close" aria-label="Close menu" onClick={close}>
            <Icon name="close" size={24} />
          </button>
          <nav aria-label="Menu">
            <ul>
              {links.map((link) => (
                <li key={link.label}>
                  <HeaderAnchor link={link} replace />
                </li>
              ))}
            </ul>
          </nav>
          <Link className="button button-tint accent-vip vip-access" to="/plans" replace>
            VIP ACCESS
          </Link>
        </div>
      </dialog>
    </>
  )
}
