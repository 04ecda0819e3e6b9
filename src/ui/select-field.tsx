import { type ComponentProps, type ReactNode, useId } from 'react'
import './fields.css'
import type { SelectOption } from './select.tsx'
import { described, Frame } from './text-field.tsx'

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
  return (
    <Frame id={id} label={label} help={help} problem={problem} hint={null}>
      <select {...select} {...described(id, help, problem)} className="select field-select">
        {options.map(({ value, label: words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Frame>
  )
}
