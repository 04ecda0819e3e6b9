import { type FormEvent, useRef } from 'react'
import { request } from '../../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../../ui/notice.tsx'
import { TextField } from '../../../../../ui/text-field.tsx'
import { recheckAccess, useAdminQuery } from '../../../../accounts/browser/admin-query.ts'
import { contentTypes, regions } from '../../../item/content-type.ts'
import { peopleStatements, ratings, rightsBases } from '../../../item/rights.ts'
import { BulkEditForAdmin } from '../../bulk/bulk-schema.ts'
import { CategoriesForAdmin } from '../../categories/categories-schema.ts'
import { ChoiceField } from '../choice-field.tsx'
import { reasonInWords } from './bulk-words.ts'

const choices = (values: readonly string[], first: string) => [
  { value: '', label: first },
  ...values.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
]
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
  const categories = data?.categories.map(({ name }) => name) ?? []
  const form = useRef<HTMLFormElement>(null)
  const preview = useApiMutation<BulkEditForAdmin, Record<string, unknown>>({
    mutationFn: (body) => request('/api/bulk-edits', BulkEditForAdmin, { method: 'POST', body }),
    onSuccess: onPreviewed,
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
          <ChoiceField name="filter-contentType" label="Of the type" options={choices(contentTypes, 'All types')} />
          <ChoiceField name="filter-category" label="In the category" options={choices(categories, 'All categories')} />
          <ChoiceField
            name="filter-status"
            label="Of the status"
            options={choices(['draft', 'published', 'restricted'], 'All')}
          />
          <ChoiceField
            name="filter-rightsBasis"
            label="With the rights basis"
            options={[...choices(rightsBases, 'All'), { value: 'none', label: 'None is recorded' }]}
          />
          <TextField name="filter-postedFrom" label="Posted from" type="date" />
          <TextField name="filter-postedTo" label="Posted until" type="date" />
        </div>
      </fieldset>
      <fieldset>
        <legend>What changes</legend>
        <div className="transfer-fields">
          <ChoiceField name="category" label="Category" options={choices(categories, leave)} />
          <ChoiceField name="contentType" label="Type" options={choices(contentTypes, leave)} />
          <ChoiceField name="region" label="Region" options={choices(regions, leave)} />
          <ChoiceField name="rating" label="Rating" options={choices(ratings, leave)} />
          <ChoiceField
            name="status"
            label="Status"
            options={[
              { value: '', label: leave },
              { value: 'published', label: 'Publish' },
              { value: 'draft', label: 'Make a draft' },
            ]}
          />
          <TextField name="postDate" label="Post date" type="date" />
          <TextField
            name="shiftDays"
            label="Move the post date by days"
            inputMode="numeric"
            autoComplete="off"
            placeholder="such as 7 or -7"
          />
          <ChoiceField name="rightsBasis" label="Rights basis" options={choices(rightsBases, leave)} />
          <TextField name="rightsHolder" label="Rights holder" maxLength={300} autoComplete="off" />
          <TextField name="licence" label="Licence" maxLength={2_000} autoComplete="off" />
          <TextField name="evidence" label="Evidence" maxLength={2_000} autoComplete="off" />
          <ChoiceField name="permitsDownload" label="Permits downloads" options={yesOrNo} />
          <ChoiceField name="permitsPaidAccess" label="Permits paid access" options={yesOrNo} />
          <TextField name="validFrom" label="Rights valid from" type="date" />
          <TextField name="validTo" label="Rights valid until" type="date" />
          <ChoiceField name="people" label="People" options={choices(peopleStatements, leave)} />
        </div>
        <p className="work-aside">A field that is left empty stays as it is.</p>
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

function bodyOf(values: FormData): { filter: Record<string, unknown>; changes: Record<string, unknown> } {
  const filter: Record<string, unknown> = {}
  const changes: Record<string, unknown> = {}
  for (const [name, value] of values) {
    if (typeof value !== 'string' || value.trim() === '') continue
    const text = value.trim()
    if (name.startsWith(filterPrefix)) filter[name.slice(filterPrefix.length)] = text
    else if (name === 'permitsDownload' || name === 'permitsPaidAccess') changes[name] = text === 'true'
    // What is no number, the server refuses in a sentence.
    else changes[name] = name === 'shiftDays' && /^[+-]?\d+$/.test(text) ? Number(text) : text
  }
  return { filter, changes }
}
