import { Checkbox } from '../../../../ui/checkbox.tsx'
import { optionsOf } from '../../../../ui/select.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { TextArea, TextField } from '../../../../ui/text-field.tsx'
import { lineOf } from '../../item/fields.ts'
import { fieldAt, type FormValues, type ItemPath } from './form-values.ts'

export function ItemField({
  path,
  values,
  problem,
  categories,
  label: ownLabel,
  help: ownHelp,
  onChange,
}: {
  path: ItemPath
  values: FormValues
  problem: string | undefined
  categories?: readonly string[]
  /** In place of the label and the help of its line. */
  label?: string
  help?: string | undefined
  onChange: <Path extends ItemPath>(path: Path, value: FormValues[Path]) => void
}) {
  const { kind, label, sentence = label, help: usualHelp, emptyChoice } = lineOf(fieldAt(path))
  const help = ownHelp ?? usualHelp
  const value = values[path]
  const field = { name: path, problem }
  if (typeof value === 'boolean') {
    const change = (checked: boolean): void => onChange(path, checked)
    return (
      <Checkbox {...field} label={sentence} checked={value} onChange={(event) => change(event.currentTarget.checked)} />
    )
  }
  const shared = { ...field, label: ownLabel ?? label, help, value }
  const names = kind.control === 'category' ? withCurrent(categories ?? [], value) : kind.choices
  if (names !== undefined) {
    return (
      <SelectField
        {...shared}
        options={optionsOf(names, emptyChoice)}
        onChange={(event) => onChange(path, event.currentTarget.value)}
      />
    )
  }
  if (kind.control === 'text') {
    return <TextArea {...shared} onChange={(event) => onChange(path, event.currentTarget.value)} />
  }
  return (
    <TextField
      {...shared}
      autoComplete="off"
      type={kind.control === 'day' && isDay(value) ? 'date' : 'text'}
      onChange={(event) => onChange(path, event.currentTarget.value)}
    />
  )
}

/** A day has the browser's own field; an instant is a text. */
function isDay(value: string): boolean {
  return value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value)
}

/** The categories of the site by their names, and one that is none of them any more. */
function withCurrent(categories: readonly string[], current: string): readonly string[] {
  return current === '' || categories.includes(current) ? categories : [current, ...categories]
}
