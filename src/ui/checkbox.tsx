import { type ComponentProps, type ReactNode, useId } from 'react'
import './fields.css'
import { FieldErrorText } from './text-field.tsx'

export function Checkbox({
  label,
  problem,
  ...input
}: Omit<ComponentProps<'input'>, 'id' | 'className' | 'type'> & {
  name: string
  label: ReactNode
  /** The field's error, read out when it appears. */
  problem?: string | undefined
}) {
  const id = useId()
  const errorId = `${id}problem`
  return (
    <div className="field">
      <div className="checkbox">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-invalid={problem !== undefined}
          {...(problem === undefined ? {} : { 'aria-describedby': errorId })}
        />
        <label htmlFor={id}>{label}</label>
      </div>
      <FieldErrorText id={errorId} problem={problem} />
    </div>
  )
}
