import { useId } from 'react'
import { FieldErrorText } from '../../../../ui/text-field.tsx'

/** One of a few, each with a sentence on what it means. */
export function ChoiceField({
  name,
  legend,
  value,
  choices,
  problem,
  onChange,
}: {
  name: string
  legend: string
  value: string
  choices: readonly { value: string; label: string; sentence: string }[]
  /** The field's error, read out when it appears. */
  problem?: string | undefined
  onChange: (value: string) => void
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
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            aria-labelledby={`${id}${choice.value}`}
            aria-describedby={`${id}${choice.value}words`}
            onChange={() => onChange(choice.value)}
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
