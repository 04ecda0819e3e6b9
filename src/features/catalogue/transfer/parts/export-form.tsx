import { downloadFile } from '../../../../browser/api-files.ts'
import { SelectField } from '../../../../ui/select-field.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { FileButton } from '../../../office/parts/file-button.tsx'
import { CategoriesForAdmin } from '../../categories/categories-schema.ts'
import { typeNames } from '../../item/fields.ts'
import { statusNames } from '../../editing/parts/content-words.ts'

const named = (names: Readonly<Record<string, string>>, all: string) => [
  { value: '', label: all },
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
]

/** The catalogue as a file of the import format. */
export function ExportForm() {
  const { data } = useAdminQuery('/api/categories', CategoriesForAdmin)
  return (
    <form className="transfer-form">
      <div className="transfer-fields">
        <SelectField
          name="format"
          label="Format"
          defaultValue="csv"
          options={[
            { value: 'csv', label: 'CSV' },
            { value: 'jsonl', label: 'JSON lines' },
          ]}
        />
        <SelectField name="status" label="Status" options={named(statusNames, 'All but removed')} />
        <SelectField name="contentType" label="Type" options={named(typeNames, 'All types')} />
        <SelectField
          name="category"
          label="Category"
          options={[
            { value: '', label: 'All categories' },
            ...(data?.categories.map(({ name }) => ({ value: name, label: name })) ?? []),
          ]}
        />
      </div>
      <div className="transfer-steps">
        <FileButton save={(filled) => downloadFile(`/api/export?${filled}`)}>Export</FileButton>
      </div>
    </form>
  )
}
