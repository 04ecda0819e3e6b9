import { useId, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { uploadFile } from '../../../../browser/api-files.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { refetchAnswers, useApiMutation } from '../../../../browser/queries.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkPage, WorkSection } from '../../../../ui/work-page.tsx'
import { recheckAccess, useAdminQuery } from '../../../accounts/browser/admin-query.ts'
import { useAddressFilters } from '../../../accounts/parts/use-address-filters.ts'
import { MemberImport, MemberImports } from '../import-schema.ts'
import { ImportReport } from '../parts/import-report.tsx'
import { countsInWords, importsPath, stateNames } from '../parts/import-words.ts'
import '../parts/import-members.css'

export const handle = { title: 'Import members' } satisfies TitledPage

export const meta = guardedMeta

/** Members from a file, for administrators: looked at first, then imported. The import that is shown stands in the address. */
export default function ImportMembersRoute() {
  const filters = useAddressFilters()
  const shown = filters.get('import')
  return (
    <WorkPage
      title="Import members"
      lead="From a file, CSV or JSON lines, with the columns email and name, and createdAt and vipUntil where you have them. Who has an account keeps it as it is; everybody else is invited by email to set a password."
      actions={
        <Link className="button" to="/admin/people">
          <Icon name="back" size={16} />
          Back to People
        </Link>
      }
    >
      <FileForm />
      {shown === '' ? null : <ImportReport key={shown} id={shown} filters={filters} />}
      <LatestImports shown={shown} />
    </WorkPage>
  )
}

function FileForm() {
  const id = useId()
  const navigate = useNavigate()
  const [file, setFile] = useState<File>()
  const upload = useApiMutation({
    mutationFn: (chosen: File) => uploadFile(importsPath, chosen, MemberImport),
    onSuccess: (read) => {
      refetchAnswers(importsPath)
      void navigate({ search: new URLSearchParams({ import: read.id }).toString() }, { preventScrollReset: true })
    },
    onError: recheckAccess,
  })
  return (
    <form
      className="import-file"
      onSubmit={(event) => {
        event.preventDefault()
        if (file !== undefined && !upload.isPending) upload.mutate(file)
      }}
    >
      <div className="field">
        <label htmlFor={id}>File of members</label>
        <input
          id={id}
          type="file"
          name="file"
          accept=".csv,.jsonl,.ndjson,text/csv"
          className="field-file"
          onChange={(event) => setFile(event.currentTarget.files?.[0])}
        />
        <p className="field-help">It is only looked at: nobody is imported before you have seen what would happen.</p>
      </div>
      <div>
        <button
          type="submit"
          className="button button-solid"
          disabled={file === undefined}
          aria-disabled={upload.isPending}
        >
          {upload.isPending ? <span className="spinner" aria-hidden="true" /> : null}
          {upload.isPending ? 'Checking...' : 'Check the file'}
        </button>
      </div>
      <Announced>{upload.error === null ? null : <Notice tone="failed">{upload.error.message}</Notice>}</Announced>
    </form>
  )
}

function LatestImports({ shown }: { shown: string }) {
  const { data, answeredAt, error } = useAdminQuery(importsPath, MemberImports)
  if (error !== undefined && data === undefined) return <Notice tone="failed">{error.message}</Notice>
  if (data === undefined || data.imports.length === 0) return null
  return (
    <WorkSection title="Files of the last weeks">
      <DataTable label="Files of the last weeks" heads={['Uploaded', 'State', 'Rows']}>
        {data.imports.map((one) => (
          <tr key={one.id}>
            <td>
              {one.id === shown ? (
                <Moment at={one.createdAt} now={answeredAt} />
              ) : (
                <Link className="text-link" to={{ search: new URLSearchParams({ import: one.id }).toString() }}>
                  <Moment at={one.createdAt} now={answeredAt} />
                </Link>
              )}
            </td>
            <td>{stateNames[one.state]}</td>
            <td>{countsInWords(one.counts)}</td>
          </tr>
        ))}
      </DataTable>
    </WorkSection>
  )
}
