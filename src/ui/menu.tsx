import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { itemsIn, useMenuKeys } from './use-menu-keys.ts'
import './menu.css'

export type MenuItem = { label: string; icon?: ReactNode } & (
  | { to: string }
  /** Opens in a new tab. */
  | { outsideUrl: string }
  | { onSelect: () => void }
)

/** Items that belong together, with a line above; a label says what they have in common. */
export interface MenuGroup {
  label?: string
  items: MenuItem[]
}

/**
 * A button that opens a menu, with the keyboard of the ARIA pattern "menu button": arrows, Home, End, first letters,
 * Escape, Tab. The focus comes back to the button when the menu is closed without leaving the page.
 */
export function Menu({
  button,
  className = '',
  head,
  groups,
  isFloating = false,
}: {
  /** The content and the name of the button. */
  button: ReactNode
  className?: string
  /** Stands above the items and cannot be chosen. */
  head?: ReactNode
  groups: MenuGroup[]
  /** Lies above everything, also where the button stands in a box that scrolls. */
  isFloating?: boolean
}) {
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  /** Which item has the focus once the menu is there; undefined when it was opened with a pointer. */
  const enterAt = useRef<'first' | 'last' | undefined>(undefined)

  useEffect(() => {
    if (!isOpen) return
    const all = itemsIn(root.current)
    const menu = root.current?.querySelector<HTMLElement>('[role=menu]')
    const target = enterAt.current === 'first' ? all[0] : enterAt.current === 'last' ? all.at(-1) : menu
    target?.focus()
    const closeOutside = (event: PointerEvent): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  useEffect(() => {
    const popup = root.current?.querySelector<HTMLElement>('.menu-popup')
    const button = opener.current?.getBoundingClientRect()
    if (!isFloating || !isOpen || popup == null || button === undefined) return
    popup.showPopover()
    const { offsetHeight: height } = popup
    const top =
      button.bottom + height + 12 > window.innerHeight ? Math.max(8, button.top - height - 6) : button.bottom + 6
    popup.style.top = `${top}px`
    popup.style.right = `${Math.max(8, document.documentElement.clientWidth - button.right)}px`
    const closeMoved = (): void => setOpen(false)
    window.addEventListener('scroll', closeMoved, { capture: true })
    window.addEventListener('resize', closeMoved)
    return () => {
      window.removeEventListener('scroll', closeMoved, { capture: true })
      window.removeEventListener('resize', closeMoved)
    }
  }, [isFloating, isOpen])

  const open = (at: 'first' | 'last' | undefined): void => {
    enterAt.current = at
    setOpen(true)
  }
  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }

  const onButtonKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open(event.key === 'ArrowDown' ? 'first' : 'last')
  }

  const onMenuKey = useMenuKeys(root, close)

  const onBlur = (event: FocusEvent): void => {
    if (event.relatedTarget instanceof Node && root.current?.contains(event.relatedTarget) !== true) setOpen(false)
  }

  return (
    <div ref={root} className={`menu-root ${className}`} onBlur={onBlur}>
      <button
        ref={opener}
        id={`${id}-button`}
        type="button"
        className="menu-button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-menu` : undefined}
        // `detail` is 0 for a click that was made with the keyboard.
        onClick={(event) => (isOpen ? close() : open(event.detail === 0 ? 'first' : undefined))}
        onKeyDown={onButtonKey}
      >
        {button}
      </button>
      {isOpen ? (
        <div className="menu-popup" {...(isFloating ? { popover: 'manual' as const } : {})}>
          {head === undefined ? null : (
            <div id={`${id}-head`} className="menu-head">
              {head}
            </div>
          )}
          <div
            id={`${id}-menu`}
            role="menu"
            tabIndex={-1}
            aria-labelledby={`${id}-button`}
            aria-describedby={head === undefined ? undefined : `${id}-head`}
            onKeyDown={onMenuKey}
          >
            {groups.map((group, place) => (
              <div key={group.label ?? place} role="group" aria-label={group.label} className="menu-group">
                {group.label === undefined ? null : (
                  <span aria-hidden="true" className="menu-group-label">
                    {group.label}
                  </span>
                )}
                {group.items.map((item) => (
                  <Item key={item.label} item={item} onChosen={() => setOpen(false)} onLeft={close} />
                ))}
              </div>
            ))}
          </div>
        </div>
      ) : null}
    </div>
  )
}

/** `onChosen` where another page takes the focus, `onLeft` where this one stays. */
function Item({ item, onChosen, onLeft }: { item: MenuItem; onChosen: () => void; onLeft: () => void }) {
  const inside = (
    <>
      {item.icon}
      {item.label}
    </>
  )
  if ('to' in item) {
    return (
      <Link role="menuitem" tabIndex={-1} className="menu-item" to={item.to} onClick={onChosen}>
        {inside}
      </Link>
    )
  }
  if ('outsideUrl' in item) {
    return (
      <a
        role="menuitem"
        tabIndex={-1}
        className="menu-item"
        href={item.outsideUrl}
        target="_blank"
        rel="noopener noreferrer"
        onClick={onLeft}
      >
        {inside}
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
    )
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className="menu-item"
      onClick={() => {
        onLeft()
        item.onSelect()
      }}
    >
      {inside}
    </button>
  )
}
