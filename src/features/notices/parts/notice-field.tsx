import { useId } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FieldErrorText, TextArea, TextField } from '../../../ui/text-field.tsx'
import type { FormField } from '../intake/notice-forms.ts'
import { maxLengths } from '../intake/typed-notice.ts'

/** The place of a field on its page, to which the list of faults leads. */
export function fieldAnchor(name: string): string {
  return `field-${name}`
}

export function NoticeField({
  field,
  typed,
  problem,
}: {
  field: FormField
  typed: string | undefined
  problem: string | undefined
}) {
  return (
    <div id={fieldAnchor(field.name)} className="notice-field" data-kind={field.kind}>
      <Input field={field} typed={typed ?? ''} problem={problem} />
    </div>
  )
}

function Input({ field, typed, problem }: { field: FormField; typed: string; problem: string | undefined }) {
  const { name, kind, label, help, isRequired, alternatives, autoComplete } = field
  const common = { name, required: isRequired && alternatives === undefined, problem }
  const text = {
    ...common,
    label,
    help,
    dir: 'auto',
    defaultValue: typed,
    ...(autoComplete === undefined ? {} : { autoComplete }),
  } as const
  switch (kind) {
    case 'email':
      return (
        <TextField
          {...text}
          type="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={maxLengths.email}
        />
      )
    case 'phone':
      return <TextField {...text} type="tel" inputMode="tel" maxLength={maxLengths.phone} />
    case 'lines':
      return <TextArea {...text} rows={3} />
    case 'text':
      return <TextArea {...text} rows={5} />
    case 'addresses':
      return <TextArea {...text} rows={3} autoComplete="off" autoCapitalize="none" spellCheck={false} wrap="soft" />
    case 'tick':
      return <Checkbox {...common} label={label} defaultChecked={typed === 'on'} />
    case 'choice':
      return <Choice field={field} typed={typed} problem={problem} />
    case 'line':
      return <TextField {...text} />
  }
}

function Choice({ field, typed, problem }: { field: FormField; typed: string; problem: string | undefined }) {
  const id = useId()
  const { name, label, choices = [], isRequired } = field
  return (
    <fieldset className="field choice" aria-describedby={problem === undefined ? undefined : id}>
      <legend>{label}</legend>
      {choices.map(({ value, label: words }) => (
        <label key={value} className="choice-option">
          <input type="radio" name={name} value={value} required={isRequired} defaultChecked={typed === value} />
          <span>{words}</span>
        </label>
      ))}
      <FieldErrorText id={id} problem={problem} />
    </fieldset>
  )
}
