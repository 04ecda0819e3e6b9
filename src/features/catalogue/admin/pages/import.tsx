import { Link, useLocation, useNavigate } from 'react-router'
import { Moment } from '../../../../browser/moment.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { refetchAnswers } from '../../../../browser/queries.ts'
import { useAnsweredAt } from '../../../../browser/use-answered-at.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { WorkPage, WorkSection, WorkWaiting } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../accounts/browser/admin-query.ts'
import { RetryButton } from '../../../accounts/parts/retry-button.tsx'
import { type ImportForAdmin, ImportsForAdmin } from '../import/import-schema.ts'
import { ExportForm } from '../parts/transfer/export-form.tsx'
import { ImportCard } from '../parts/transfer/import-card.tsx'
import { isUnderWay, stateNames } from '../parts/transfer/import-words.ts'
import { UploadForm } from '../parts/transfer/upload-form.tsx'
import '../parts/transfer.css'

export const handle = { title: 'Import' } satisfies TitledPage

export const meta = guardedMeta

/** Import and export of the catalogue. The import that is shown stands in the address; else what waits or is under way. */
export default function ImportRoute() {
  const asked = new URLSearchParams(useLocation().search).get('import')
  const navigate = useNavigate()
  const { data, error, isFetching, refetch } = useAdminQuery('/api/imports', ImportsForAdmin)
  const shown = asked ?? data?.imports.find((each) => each.state === 'waiting' || isUnderWay(each))?.id
  return (
    <WorkPage
      title="Import and export"
      lead="Many entries at once, from a file and into one. What was exported can be imported again."
    >
      <WorkSection title="Upload a file">
        <UploadForm
          onUploaded={({ id }) => {
            refetchAnswers('/api/imports')
            void navigate({ search: new URLSearchParams({ import: id }).toString() }, { preventScrollReset: true })
          }}
        />
      </WorkSection>
      {shown === undefined ? null : (
        <WorkSection title="This import">
          <ImportCard key={shown} id={shown} />
        </WorkSection>
      )}
      <WorkSection title="Export">
        <ExportForm />
      </WorkSection>
      <WorkSection title="Imports until now">
        {data === undefined ? (
          error === undefined ? (
            <WorkWaiting />
          ) : (
            <Notice tone="failed">
              <p>{error.message}</p>
              <p>
                <RetryButton isFetching={isFetching} onRetry={refetch} />
              </p>
            </Notice>
          )
        ) : (
          <Imports imports={data.imports} />
        )}
      </WorkSection>
    </WorkPage>
  )
}

function Imports({ imports }: { imports: readonly ImportForAdmin[] }) {
  const now = useAnsweredAt(imports)
  if (imports.length === 0) return <p className="work-empty">Nothing was imported in the browser yet.</p>
  return (
    <DataTable
      label="Imports until now"
      heads={['File', 'Uploaded', 'State', 'Rows', 'Problems']}
      figures={['Rows', 'Problems']}
    >
      {imports.map(({ id, fileName, uploadedAt, state, rowsDone, problems }) => (
        <tr key={id} className={state === 'failed' ? 'is-danger' : undefined}>
          <td>
            <Link className="text-link" to={`/admin/import?import=${id}`}>
              {fileName}
            </Link>
          </td>
          <td>
            <Moment at={uploadedAt} now={now} />
          </td>
          <td>{stateNames[state]}</td>
          <td className="data-figure">{rowsDone.toLocaleString('en-US')}</td>
          <td className="data-figure">{problems.toLocaleString('en-US')}</td>
        </tr>
      ))}
    </DataTable>
  )
}
