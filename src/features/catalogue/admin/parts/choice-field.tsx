import { useId } from 'react'
import type { SelectOption } from '../../../../ui/select.tsx'
import '../../../../ui/fields.css'

/** A native menu in a form, under its label. It keeps its own value. */
export function ChoiceField({
  name,
  label,
  options,
  defaultValue = '',
}: {
  name: string
  label: string
  options: readonly SelectOption[]
  defaultValue?: string
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} className="select" defaultValue={defaultValue}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
