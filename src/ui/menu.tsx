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
  const enterAt = useRef<EnterAt>(undefined)

  useEffect(() => {
    if (!isOpen) return
    enterMenu(root.current, enterAt.current)
    const closeOutside = (event: PointerEvent): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  useEffect(() => {
    const popup = root.current?.querySelector<HTMLElement>('.menu-popup')
    const button = opener.current
    if (!isFloating || !isOpen || popup == null || button === null) return
    return floatBelow(button, popup, () => setOpen(false))
  }, [isFloating, isOpen])

  const open = (at: EnterAt): void => {
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
              <Group key={group.label ?? place} group={group} onChosen={() => setOpen(false)} onLeft={close} />
            ))}
          </div>
        </div>
      ) : null}
    </div>
  )
}

/** The item that gets the focus once the menu is there; undefined when it was opened with a pointer. */
type EnterAt = 'first' | 'last' | undefined

function enterMenu(root: HTMLElement | null, at: EnterAt): void {
  const items = itemsIn(root)
  const menu = root?.querySelector<HTMLElement>('[role=menu]')
  const target = at === 'first' ? items[0] : at === 'last' ? items.at(-1) : menu
  target?.focus()
}

/**
 * Shows a menu above everything, below its button or above it where the space ends, and moves it with its button.
 * @param onLost called once the button is out of sight, or the window has another size
 * @returns stops watching
 */
function floatBelow(button: HTMLElement, popup: HTMLElement, onLost: () => void): () => void {
  popup.showPopover()
  const place = (): void => {
    const { top, bottom, right } = button.getBoundingClientRect()
    if (bottom < 0 || top > window.innerHeight) {
      onLost()
      return
    }
    const { offsetHeight: height, offsetWidth: width } = popup
    const { clientWidth: room } = document.documentElement
    const hasRoom = bottom + height + 12 <= window.innerHeight
    popup.style.top = `${hasRoom ? bottom + 6 : Math.max(8, top - height - 6)}px`
    popup.style.right = `${Math.max(8, Math.min(room - right, room - width - 8))}px`
  }
  place()
  window.addEventListener('scroll', place, { capture: true })
  window.addEventListener('resize', onLost)
  return () => {
    window.removeEventListener('scroll', place, { capture: true })
    window.removeEventListener('resize', onLost)
  }
}

interface Leave {
  /** Another page takes the focus. */
  onChosen: () => void
  /** This page stays. */
  onLeft: () => void
}

function Group({ group, ...leave }: Leave & { group: MenuGroup }) {
  return (
    <div role="group" aria-label={group.label} className="menu-group">
      {group.label === undefined ? null : (
        <span aria-hidden="true" className="menu-group-label">
          {group.label}
        </span>
      )}
      {group.items.map((item) => (
        <Item key={item.label} item={item} {...leave} />
      ))}
    </div>
  )
}

function Item({ item, onChosen, onLeft }: Leave & { item: MenuItem }) {
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
