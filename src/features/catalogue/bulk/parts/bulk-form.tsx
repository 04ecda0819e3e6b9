import type { ReactNode } from 'react'
import { usualSentence } from '../../../../browser/api-client.ts'
import { Form } from '../../../../ui/form/form.tsx'
import type { FormField } from '../../../../ui/form/use-form.ts'
import { TextArea, TextField } from '../../../../ui/text-field.tsx'
import { optionsOf } from '../../../../ui/select.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { useApiForm } from '../../../office/browser/api-form.ts'
import type { BulkEditForAdmin } from '../bulk-schema.ts'
import { CategoriesForAdmin } from '../../categories/categories-schema.ts'
import { type FieldName, lineOf } from '../../item/fields.ts'
import { bulkFields, reasonInWords } from './bulk-words.ts'
import { useBeginBulkEdit } from './use-begin-bulk-edit.ts'
import { useFieldWords } from './use-field-words.ts'

const leave = 'Leave as it is'
const yesOrNo = optionsOf({ true: 'Yes', false: 'No' }, leave)

const unchanged: Record<string, string> = Object.fromEntries(
  [...bulkFields, 'shiftDays', 'status', 'separator'].map((name) => [name, '']),
)

/** The entries of an edit: the filter that is sent, and how the page says it. */
export interface BulkTarget {
  filter: Readonly<Record<string, unknown>>
  words: string
}

/** The changes of an edit. Sending them makes a preview and changes nothing. */
export function BulkForm({
  target,
  onPreviewed,
}: {
  target: BulkTarget
  onPreviewed: (edit: BulkEditForAdmin) => void
}) {
  const { data } = useAdminQuery('/api/categories', CategoriesForAdmin)
  const categories = data?.categories.map(({ name }) => name) ?? []
  const words = useFieldWords()
  const begin = useBeginBulkEdit()
  const form = useApiForm({
    defaults: unchanged,
    async send(values) {
      onPreviewed(await begin({ filter: target.filter, changes: changesIn(values) }))
    },
    otherwise: usualSentence,
    fieldOf: (field) => field.replace(/^changes\./, ''),
    inWords: (reason) => reasonInWords(reason, words),
  })
  const changesOf = (which: 'fields' | 'formats'): ReactNode =>
    bulkFields
      .filter((name) => (lineOf(name).group === 'formats') === (which === 'formats'))
      .map((name) => (
        <ChangeField key={name} {...form.field(name)} name={name} label={words[name] ?? name} categories={categories} />
      ))
  return (
    <Form
      form={form}
      act={{ label: 'Preview', labelWhileSending: 'Preparing...' }}
      className="transfer-form"
      steps="work-steps"
    >
      <fieldset>
        <legend>What changes</legend>
        <div className="transfer-fields">
          {changesOf('fields')}
          <TextField
            {...form.field('shiftDays')}
            label="Move the post date by days"
            inputMode="numeric"
            autoComplete="off"
            placeholder="such as 7 or -7"
          />
          <TextField
            {...form.field('separator')}
            label="Split names at"
            autoComplete="off"
            maxLength={20}
            placeholder="A space, a dash and a space"
            help="For entries without creators: the text after the last separator becomes the creator."
          />
          <SelectField
            {...form.field('status')}
            label="Status"
            options={optionsOf({ published: 'Publish', draft: 'Make a draft' }, leave)}
          />
        </div>
        <details>
          <summary>File formats</summary>
          <div className="transfer-fields">{changesOf('formats')}</div>
        </details>
        <p className="work-aside">Fields you leave empty stay as they are.</p>
      </fieldset>
    </Form>
  )
}

/** The new value of a field of the entries; left empty it stays as it is. */
function ChangeField({
  name,
  label,
  categories,
  ...field
}: Omit<FormField, 'name'> & {
  name: FieldName
  label: string
  categories: readonly string[]
}) {
  const {
    help,
    kind: { control, choices = {}, maxLength },
  } = lineOf(name)
  if (control === 'category') {
    return <SelectField {...field} name={name} label={label} options={optionsOf(categories, leave)} />
  }
  if (control === 'choice')
    return <SelectField {...field} name={name} label={label} options={optionsOf(choices, leave)} />
  if (control === 'tick') return <SelectField {...field} name={name} label={label} options={yesOrNo} />
  if (control === 'day') return <TextField {...field} name={name} label={label} type="date" />
  const typed = { ...field, name, label, help, maxLength }
  return control === 'text' ? <TextArea {...typed} /> : <TextField {...typed} autoComplete="off" />
}

function changesIn(values: Readonly<Record<string, string>>): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === '') continue
    const text = value.trim()
    // Its spaces count.
    if (name === 'separator') Object.assign(changes, { action: 'split-names', separator: value })
    else if (bulkFields.some((field) => field === name && lineOf(field).kind.control === 'tick'))
      changes[name] = text === 'true'
    // The server refuses another text in a sentence.
    else changes[name] = name === 'shiftDays' && /^[+-]?\d+$/.test(text) ? Number(text) : text
  }
  return changes
}
