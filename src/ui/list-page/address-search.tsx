import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { SearchField } from '../search-field.tsx'
import { useLater } from '../use-later.ts'

const pauseMs = 300

/**
 * A search whose text stands in the address as `search`, so that a list can be linked and Back restores it. A new text
 * begins at the first page.
 */
export function AddressSearch({
  label,
  placeholder,
  maxLength = 200,
}: {
  label: string
  placeholder: string
  /** In UTF-16 units, as browsers count. */
  maxLength?: number
}) {
  const { search: asked } = useLocation()
  const requested = new URLSearchParams(asked).get('search') ?? ''
  const navigate = useNavigate()
  const [typed, setTyped] = useState(requested)
  const written = useRef(requested)
  const isComposing = useRef(false)
  const isWaiting = useRef(false)
  const box = useRef<HTMLInputElement>(null)
  const later = useLater()

  // The address has changed by itself: Back, or a link. Text that was typed meanwhile is written to the new one.
  useEffect(() => {
    if (requested === written.current) return
    written.current = requested
    if (!isWaiting.current) setTyped(requested)
  }, [requested])

  const write = (text: string): void => {
    isWaiting.current = true
    later(text === '' ? 0 : pauseMs, () => {
      if (isComposing.current) return
      isWaiting.current = false
      if (text.trim() === written.current) return
      written.current = text.trim()
      const next = new URLSearchParams(location.search)
      next.delete('page')
      if (written.current === '') next.delete('search')
      else next.set('search', written.current)
      void navigate({ search: next.toString() }, { replace: true, preventScrollReset: true })
    })
  }

  return (
    <SearchField
      name="search"
      label={label}
      placeholder={placeholder}
      value={typed}
      maxLength={maxLength}
      inputRef={box}
      onChange={(text) => {
        setTyped(text)
        write(text)
      }}
      onCompose={(composing) => {
        isComposing.current = composing
        if (!composing) write(box.current?.value ?? '')
      }}
    />
  )
}
