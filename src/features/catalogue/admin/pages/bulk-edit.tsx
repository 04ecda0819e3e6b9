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
import { type BulkEditForAdmin, BulkEditsForAdmin } from '../bulk/bulk-schema.ts'
import { BulkCard } from '../parts/bulk/bulk-card.tsx'
import { BulkForm } from '../parts/bulk/bulk-form.tsx'
import { bulkStateNames, isAtWork, valuesInWords } from '../parts/bulk/bulk-words.ts'
import '../parts/transfer.css'

export const handle = { title: 'Bulk edit' } satisfies TitledPage

export const meta = guardedMeta

/** Edits of many entries. The one that is shown stands in the address; else what waits or is under way. */
export default function BulkEditRoute() {
  const asked = new URLSearchParams(useLocation().search).get('edit')
  const navigate = useNavigate()
  const { data, error, isFetching, refetch } = useAdminQuery('/api/bulk-edits', BulkEditsForAdmin)
  const shown = asked ?? data?.edits.find((each) => each.state === 'ready' || isAtWork(each))?.id
  return (
    <WorkPage
      title="Bulk edit"
      lead="One change for many entries: choose them, look at the preview, then apply it. For 24 hours it can be undone."
    >
      {shown === undefined ? null : (
        <WorkSection title="This edit">
          <BulkCard key={shown} id={shown} />
        </WorkSection>
      )}
      <WorkSection title="A new edit">
        <BulkForm
          onPreviewed={({ id }) => {
            refetchAnswers('/api/bulk-edits')
            // To the top, where it stands.
            void navigate({ search: new URLSearchParams({ edit: id }).toString() })
          }}
        />
      </WorkSection>
      <WorkSection title="Edits until now">
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
          <Edits edits={data.edits} />
        )}
      </WorkSection>
    </WorkPage>
  )
}

function Edits({ edits }: { edits: readonly BulkEditForAdmin[] }) {
  const now = useAnsweredAt(edits)
  if (edits.length === 0) return <p className="work-empty">There was no edit of many entries yet.</p>
  return (
    <DataTable label="Edits until now" heads={['Changes', 'Entries', 'Made', 'State', 'Changed']} figures={['Changed']}>
      {edits.map(({ id, changes, filter, madeAt, state, counts }) => (
        <tr key={id} className={state === 'failed' ? 'is-danger' : undefined}>
          <td>
            <Link className="text-link" to={`/admin/bulk-edit?edit=${id}`}>
              {valuesInWords(changes)}
            </Link>
          </td>
          <td>{valuesInWords(filter) || 'All'}</td>
          <td>
            <Moment at={madeAt} now={now} />
          </td>
          <td>{bulkStateNames[state]}</td>
          <td className="data-figure">{(counts.changed + counts.undone + counts.left).toLocaleString('en-US')}</td>
        </tr>
      ))}
    </DataTable>
  )
}
