import { type FormEvent, useRef } from 'react'
import { uuidv7 } from 'uuidv7'
import { request } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { recheckAccess, useAdminQuery } from '../../../office/browser/admin-query.ts'
import { BulkEditForAdmin } from '../bulk-schema.ts'
import { CategoriesForAdmin } from '../../categories/categories-schema.ts'
import { basisNames, type FieldName, lineOf, nameAlone, typeNames } from '../../item/fields.ts'
import { statusNames } from '../../editing/parts/content-words.ts'
import { bulkFields, reasonInWords } from './bulk-words.ts'

const named = (names: Readonly<Record<string, string>>, first: string) => [
  { value: '', label: first },
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
]
const { removed: _never, ...stateNames } = statusNames
const leave = 'Leave as it is'
const yesOrNo = [
  { value: '', label: leave },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** Fields of the form that stand for the filter; the others are changes. */
const filterPrefix = 'filter-'

/** Which entries, and what is to change about them. Sending it makes a preview and changes nothing. */
export function BulkForm({ onPreviewed }: { onPreviewed: (edit: BulkEditForAdmin) => void }) {
  const { data } = useAdminQuery('/api/categories', CategoriesForAdmin)
  const categories = data?.categories.map(({ name }) => ({ value: name, label: name })) ?? []
  const form = useRef<HTMLFormElement>(null)
  /** The request that was sent last, with the id of its edit: sent again, such as after a lost answer, it makes no second one. */
  const sent = useRef({ text: '', id: '' })
  const preview = useApiMutation<BulkEditForAdmin, Record<string, unknown>>({
    mutationFn: (body) => {
      const text = JSON.stringify(body)
      if (sent.current.text !== text) sent.current = { text, id: uuidv7() }
      return request('/api/bulk-edits', BulkEditForAdmin, { method: 'POST', body: { id: sent.current.id, ...body } })
    },
    onSuccess: (edit) => {
      // The same edit once more, later, needs a new preview.
      sent.current = { text: '', id: '' }
      onPreviewed(edit)
    },
    onError: (error) => {
      recheckAccess(error)
      const field = error.field?.replace(/^changes\./, '').replace(/^filter\./, filterPrefix)
      const wrong = field === undefined ? null : form.current?.elements.namedItem(field)
      if (wrong instanceof HTMLElement) wrong.focus()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (!preview.isPending) preview.mutate(bodyOf(new FormData(event.currentTarget)))
  }
  return (
    <form ref={form} className="transfer-form" noValidate onSubmit={submit}>
      <fieldset>
        <legend>Which entries</legend>
        <div className="transfer-fields">
          <TextField name="filter-text" label="Words of the name" maxLength={300} autoComplete="off" />
          <SelectField name="filter-contentType" label="Of the type" options={named(typeNames, 'All types')} />
          <SelectField
            name="filter-category"
            label="In the category"
            options={[{ value: '', label: 'All categories' }, ...categories]}
          />
          <SelectField name="filter-status" label="Of the status" options={named(stateNames, 'All')} />
          <SelectField
            name="filter-rightsBasis"
            label="With the rights basis"
            options={[...named(basisNames, 'All'), { value: 'none', label: 'None is recorded' }]}
          />
          <TextField name="filter-postedFrom" label="Posted from" type="date" />
          <TextField name="filter-postedTo" label="Posted until" type="date" />
        </div>
      </fieldset>
      <fieldset>
        <legend>What changes</legend>
        <div className="transfer-fields">
          {bulkFields.map((name) => (
            <ChangeField key={name} name={name} categories={categories} />
          ))}
          <TextField
            name="shiftDays"
            label="Move the post date by days"
            inputMode="numeric"
            autoComplete="off"
            placeholder="such as 7 or -7"
          />
          <SelectField
            name="status"
            label="Status"
            options={[
              { value: '', label: leave },
              { value: 'published', label: 'Publish' },
              { value: 'draft', label: 'Make a draft' },
            ]}
          />
        </div>
        <p className="work-aside">Fields you leave empty stay as they are.</p>
      </fieldset>
      <Announced>
        {preview.error === null ? null : <Notice tone="failed">{reasonInWords(preview.error.message)}</Notice>}
      </Announced>
      <div className="transfer-steps">
        <button type="submit" className="button button-solid" aria-disabled={preview.isPending}>
          {preview.isPending ? 'Looking...' : 'Preview'}
        </button>
      </div>
    </form>
  )
}

/** The new value of a field of the entries; left empty it stays as it is. */
function ChangeField({
  name,
  categories,
}: {
  name: FieldName
  categories: readonly { value: string; label: string }[]
}) {
  const { control, choices = {}, maxLength } = lineOf(name).kind
  const label = nameAlone(name)
  if (control === 'category') {
    return <SelectField name={name} label={label} options={[{ value: '', label: leave }, ...categories]} />
  }
  if (control === 'choice') return <SelectField name={name} label={label} options={named(choices, leave)} />
  if (control === 'tick') return <SelectField name={name} label={label} options={yesOrNo} />
  if (control === 'day') return <TextField name={name} label={label} type="date" />
  return <TextField name={name} label={label} maxLength={maxLength} autoComplete="off" />
}

function bodyOf(values: FormData): { filter: Record<string, unknown>; changes: Record<string, unknown> } {
  const filter: Record<string, unknown> = {}
  const changes: Record<string, unknown> = {}
  for (const [name, value] of values) {
    if (typeof value !== 'string' || value.trim() === '') continue
    const text = value.trim()
    if (name.startsWith(filterPrefix)) filter[name.slice(filterPrefix.length)] = text
    else if (bulkFields.some((field) => field === name && lineOf(field).kind.control === 'tick'))
      changes[name] = text === 'true'
    // The server refuses another text in a sentence.
    else changes[name] = name === 'shiftDays' && /^[+-]?\d+$/.test(text) ? Number(text) : text
  }
  return { filter, changes }
}
