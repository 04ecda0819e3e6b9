import type { KeyboardEvent } from 'react'

export interface SelectOption {
  value: string
  label: string
}

/**
 * Options by their values, or such that are their own names; before them the one that chooses none.
 * @param none its label, where there is one
 */
export function optionsOf(
  names: Readonly<Record<string, string>> | readonly string[],
  none?: string,
): readonly SelectOption[] {
  const pairs = Array.isArray(names) ? names.map((name: string) => [name, name]) : Object.entries(names)
  const options = pairs.map(([value = '', label = '']): SelectOption => ({ value, label }))
  return none === undefined ? options : [{ value: '', label: none }, ...options]
}

/**
 * A native menu: the browser's own keyboard, screen reader and touch behaviour, without a script. Enter opens it too,
 * which browsers leave out.
 */
export function Select({
  name,
  label,
  value,
  options,
  onChange,
}: {
  name: string
  label: string
  value: string
  options: readonly SelectOption[]
  onChange: (value: string) => void
}) {
  return (
    <select
      name={name}
      aria-label={label}
      className={value === (options[0]?.value ?? '') ? 'select' : 'select is-set'}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={openOnEnter}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

function openOnEnter(event: KeyboardEvent<HTMLSelectElement>): void {
  const select = event.currentTarget
  if (event.key !== 'Enter' || event.target !== select || isOpen(select)) return
  event.preventDefault()
  try {
    select.showPicker()
  } catch {
    // Older browsers have no such method, and a frame of another origin may not call it: Space still opens the menu.
  }
}

function isOpen(select: HTMLSelectElement): boolean {
  try {
    return select.matches(':open')
  } catch {
    return false
  }
}
