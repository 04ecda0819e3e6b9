import type { FormEvent } from 'react'
import { downloadFile } from '../../../../../browser/api-files.ts'
import { useApiMutation } from '../../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../../ui/notice.tsx'
import { recheckAccess, useAdminQuery } from '../../../../accounts/browser/admin-query.ts'
import { contentTypes } from '../../../item/content-type.ts'
import { CategoriesForAdmin } from '../../categories/categories-schema.ts'
import { ChoiceField } from '../choice-field.tsx'

const named = (values: readonly string[], all: string) => [
  { value: '', label: all },
  ...values.map((value) => ({ value, label: value })),
]

/** The catalogue as a file of the import format. */
export function ExportForm() {
  const { data } = useAdminQuery('/api/categories', CategoriesForAdmin)
  const download = useApiMutation<string, string>({ mutationFn: (path) => downloadFile(path), onError: recheckAccess })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (download.isPending) return
    const query = new URLSearchParams()
    for (const [name, value] of new FormData(event.currentTarget))
      if (typeof value === 'string' && value !== '') query.set(name, value)
    download.mutate(`/api/export?${query.toString()}`)
  }
  return (
    <form className="transfer-form" onSubmit={submit}>
      <div className="transfer-fields">
        <ChoiceField
          name="format"
          label="Format"
          defaultValue="csv"
          options={[
            { value: 'csv', label: 'CSV' },
            { value: 'jsonl', label: 'JSON lines' },
          ]}
        />
        <ChoiceField
          name="status"
          label="Status"
          options={named(['draft', 'published', 'restricted', 'removed'], 'All but removed')}
        />
        <ChoiceField name="contentType" label="Type" options={named(contentTypes, 'All types')} />
        <ChoiceField
          name="category"
          label="Category"
          options={named(data?.categories.map(({ name }) => name) ?? [], 'All categories')}
        />
      </div>
      <div className="transfer-steps">
        <button type="submit" className="button button-solid" aria-disabled={download.isPending}>
          {download.isPending ? 'Preparing...' : 'Export'}
        </button>
      </div>
      <Announced>
        {download.error === null ? null : <Notice tone="failed">{download.error.message}</Notice>}
        {download.data === undefined ? null : <Notice tone="done">{`Saved as ${download.data}.`}</Notice>}
      </Announced>
    </form>
  )
}
