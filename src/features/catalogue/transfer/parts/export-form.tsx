import { downloadFile } from '../../../../browser/api-files.ts'
import { optionsOf } from '../../../../ui/select.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { FileButton } from '../../../office/parts/file-button.tsx'
import { CategoriesForAdmin } from '../../categories/categories-schema.ts'
import { typeNames } from '../../item/field-lines.ts'
import { listedStatusNames } from '../../editing/parts/content-words.ts'

/** Those that are stored: a file knows no others. */
const { draft, published, restricted, removed } = listedStatusNames

export function ExportForm() {
  const { data } = useAdminQuery('/api/categories', CategoriesForAdmin)
  return (
    <form className="transfer-form">
      <div className="transfer-fields">
        <SelectField
          name="format"
          label="Format"
          defaultValue="csv"
          options={optionsOf({ csv: 'CSV', jsonl: 'JSON lines' })}
        />
        <SelectField
          name="status"
          label="Status"
          options={optionsOf({ draft, published, restricted, removed }, 'All but removed')}
        />
        <SelectField name="contentType" label="Type" options={optionsOf(typeNames, 'All types')} />
        <SelectField
          name="category"
          label="Category"
          options={optionsOf(data?.categories.map(({ name }) => name) ?? [], 'All categories')}
        />
      </div>
      <div className="work-steps">
        <FileButton save={(filled) => downloadFile(`/api/export?${filled}`)}>Export</FileButton>
      </div>
    </form>
  )
}
