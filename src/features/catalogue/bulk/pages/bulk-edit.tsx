import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { refetchAnswers } from '../../../../browser/queries.ts'
import { WorkPage, WorkSection } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import {
  lookAtRunsEveryMs,
  noFigure,
  RunsUntilNow,
  type RunUntilNow,
} from '../../../office/runs/parts/runs-until-now.tsx'
import { type BulkEditForAdmin, BulkEditsForAdmin } from '../bulk-schema.ts'
import { BulkCard } from '../parts/bulk-card.tsx'
import { BulkForm } from '../parts/bulk-form.tsx'
import { bulkStateNames, type FieldWords, isAtWork, valuesInWords } from '../parts/bulk-words.ts'
import { useFieldWords } from '../parts/use-field-words.ts'
import '../../transfer/parts/transfer.css'

export const handle = { title: 'Bulk edit' } satisfies TitledPage

export const meta = guardedMeta

/** Edits of many entries. The one that is shown stands in the address; else what waits or is under way. */
export default function BulkEditRoute() {
  const requested = new URLSearchParams(useLocation().search).get('edit')
  const navigate = useNavigate()
  const words = useFieldWords()
  const { data, answeredAt, error, isFetching, refetch } = useAdminQuery('/api/bulk-edits', BulkEditsForAdmin, {
    refetchAfterMs: (answer) => (answer?.edits.some(isAtWork) === true ? lookAtRunsEveryMs : false),
  })
  const current = data?.edits.find((each) => each.state === 'ready' || isAtWork(each))?.id
  // A finished edit stays in view, with its result.
  const [last, setLast] = useState(current)
  if (current !== undefined && current !== last) setLast(current)
  const shown = requested ?? current ?? last
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
      <RunsUntilNow
        title="Past bulk edits"
        heads={['Changes', 'Entries', 'Made', 'State', 'Changed']}
        empty="No bulk edits yet."
        runs={data?.edits.map((edit) => rowOf(edit, words))}
        now={answeredAt}
        error={error}
        isFetching={isFetching}
        onRetry={refetch}
      />
    </WorkPage>
  )
}

function rowOf({ id, changes, filter, madeAt, state, counts }: BulkEditForAdmin, words: FieldWords): RunUntilNow {
  const link = (
    <Link className="text-link" to={`/admin/bulk-edit?edit=${id}`}>
      {valuesInWords(changes, words)}
    </Link>
  )
  const isBegun = state !== 'previewing' && state !== 'ready'
  const changed = counts.changed + counts.undone + counts.left
  return {
    id,
    cells: [
      link,
      valuesInWords(filter, words) || 'All',
      { at: madeAt },
      bulkStateNames[state],
      isBegun ? changed : noFigure,
    ],
    hasFailed: state === 'failed',
  }
}
