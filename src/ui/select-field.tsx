import { type ComponentProps, type ReactNode, useId } from 'react'
import './fields.css'
import type { SelectOption } from './select.tsx'
import { FieldErrorText } from './text-field.tsx'

/** A native menu of a form, with its label above and what is wrong with it below. */
export function SelectField({
  label,
  help,
  problem,
  options,
  ...select
}: Omit<ComponentProps<'select'>, 'id' | 'className' | 'children'> & {
  name: string
  label: string
  help?: ReactNode
  /** The field's error, read out when it appears. */
  problem?: string | undefined
  options: readonly SelectOption[]
}) {
  const id = useId()
  const describedBy = problem !== undefined ? `${id}problem` : help === undefined ? undefined : `${id}help`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        {...select}
        id={id}
        className="select field-select"
        aria-invalid={problem !== undefined}
        aria-describedby={describedBy}
      >
        {options.map(({ value, label: words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <FieldErrorText id={`${id}problem`} problem={problem} />
      {help === undefined || problem !== undefined ? null : (
        <p id={`${id}help`} className="field-help">
          {help}
        </p>
      )}
    </div>
  )
}
