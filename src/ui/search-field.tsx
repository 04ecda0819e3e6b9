import type { RefObject } from 'react'
import { Icon } from './icon.tsx'

/** A search box with a button that empties it. `shortcut` is the key that leads here, if there is one. */
export function SearchField({
  name,
  label,
  placeholder,
  value,
  maxLength,
  inputRef,
  shortcut,
  onChange,
  onCompose,
}: {
  name: string
  label: string
  placeholder: string
  value: string
  /** In UTF-16 units, as browsers count. */
  maxLength: number
  inputRef: RefObject<HTMLInputElement | null>
  shortcut?: string | undefined
  onChange: (value: string) => void
  /** Told when an input method begins and ends to compose a word; what stands in the box meanwhile is not yet text. */
  onCompose: (composing: boolean) => void
}) {
  return (
    <div className="search-field">
      <Icon name="search" />
      <input
        ref={inputRef}
        type="search"
        name={name}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        placeholder={placeholder}
        value={value}
        maxLength={maxLength}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => onChange(event.currentTarget.value)}
        onCompositionStart={() => onCompose(true)}
        onCompositionEnd={() => onCompose(false)}
      />
      {value === '' ? (
        shortcut === undefined ? null : (
          <kbd aria-hidden="true" className="with-script">
            {shortcut}
          </kbd>
        )
      ) : (
        <button
          type="button"
          className="button button-icon with-script"
          aria-label="Clear search"
          onClick={() => {
            onChange('')
            inputRef.current?.focus()
          }}
        >
          <Icon name="close" size={16} />
        </button>
      )}
    </div>
  )
}
