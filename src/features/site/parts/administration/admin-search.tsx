import { useEffect, useState } from 'react'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { SearchBox } from './search-box.tsx'
import './admin-search.css'

/** The one search of the administration: a button that looks like a field, Ctrl K anywhere, and the stroke. */
export function AdminSearch() {
  const [isOpen, setIsOpen] = useState(false)

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]') !== null) return
      const isAnywhere = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'k'
      const isStroke = event.key === '/' && !event.ctrlKey && !event.metaKey && !isField(event.target)
      if (!isAnywhere && !isStroke) return
      event.preventDefault()
      // The stroke is the page's own where it has a search.
      const own = isStroke ? document.querySelector<HTMLInputElement>('.admin-page input[type=search]') : null
      if (own?.checkVisibility() !== true) setIsOpen(true)
      else {
        own.focus()
        own.select()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <>
      <button
        type="button"
        className="button admin-search"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="search" size={16} />
        <span className="sr-only">Find anything</span>
        <span className="admin-search-words" aria-hidden="true">
          Find anything
        </span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {isOpen ? (
        <Dialog title="Find anything" onClose={() => setIsOpen(false)}>
          <SearchBox onLeave={() => setIsOpen(false)} />
        </Dialog>
      ) : null}
    </>
  )
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}
