import { type ComponentProps, useId } from 'react'
import { FieldErrorText } from '../../../../ui/text-field.tsx'

/** One of a few, each with a sentence on what it means. */
export function ChoiceField({
  legend,
  value,
  choices,
  problem,
  ...input
}: Omit<ComponentProps<'input'>, 'id' | 'type'> & {
  name: string
  legend: string
  value: string
  choices: readonly { value: string; label: string; sentence: string }[]
  /** The field's error, read out when it appears. */
  problem?: string | undefined
}) {
  const id = useId()
  return (
    <fieldset
      className="desk-choices"
      role="radiogroup"
      aria-invalid={problem !== undefined}
      {...(problem === undefined ? {} : { 'aria-describedby': `${id}problem` })}
    >
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={choice.value === value ? 'desk-choice is-chosen' : 'desk-choice'}>
          <input
            {...input}
            type="radio"
            value={choice.value}
            aria-labelledby={`${id}${choice.value}`}
            aria-describedby={`${id}${choice.value}words`}
          />
          <span id={`${id}${choice.value}`}>{choice.label}</span>
          <span id={`${id}${choice.value}words`} className="desk-choice-words">
            {choice.sentence}
          </span>
        </label>
      ))}
      <FieldErrorText id={`${id}problem`} problem={problem} />
    </fieldset>
  )
}
