import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ButtonLink, TextLink } from '../../../../ui/button.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { refetchAnswers } from '../../../../browser/queries.ts'
import { counted } from '../../../../platform/counted.ts'
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
import { BulkForm, type BulkTarget } from '../parts/bulk-form.tsx'
import { bulkStateNames, type FieldWords, isAtWork, valuesInWords, whichInWords } from '../parts/bulk-words.ts'
import { chosenIn } from '../../editing/parts/content-bar.tsx'
import { filtersInWords, readContentFilters, writeContentFilters } from '../../editing/parts/content-filters.ts'
import { useFieldWords } from '../parts/use-field-words.ts'
import '../../transfer/parts/transfer.css'

export const handle = { title: 'Bulk edit' } satisfies TitledPage

export const meta = guardedMeta

/**
 * Edits of many entries. The one that is shown stands in the address; else what waits or is under way. A new one is begun
 * from the list of content, with a selection or the filters of the list.
 */
export default function BulkEditRoute() {
  const { search, state } = useLocation()
  const requested = new URLSearchParams(search).get('edit')
  const target = targetOf(search, state)
  const navigate = useNavigate()
  const words = useFieldWords()
  const query = useAdminQuery('/api/bulk-edits', BulkEditsForAdmin, {
    refetchAfterMs: (answer) => (answer?.edits.some(isAtWork) === true ? lookAtRunsEveryMs : false),
  })
  const edits = query.data?.edits
  const current = edits?.find((each) => each.state === 'ready' || isAtWork(each))?.id
  // A finished edit stays in view, with its result.
  const [last, setLast] = useState(current)
  if (current !== undefined && current !== last) setLast(current)
  const shown = requested ?? (target === undefined ? (current ?? last) : undefined)
  return (
    <WorkPage
      title="Bulk edit"
      lead="One change for many entries, with a preview and 24 hours to undo it. Start by selecting entries in Content."
      actions={
        target === undefined ? (
          <ButtonLink look={shown === undefined ? 'solid' : 'plain'} label="Select entries" to="/admin/settings" />
        ) : undefined
      }
    >
      {shown === undefined ? null : (
        <WorkSection title="This edit">
          <BulkCard key={shown} id={shown} />
        </WorkSection>
      )}
      {shown === undefined && target !== undefined ? (
        <NewEdit
          key={target.words}
          target={target}
          onPreviewed={({ id }) => {
            refetchAnswers('/api/bulk-edits')
            // To the top, where it stands.
            void navigate({ search: new URLSearchParams({ edit: id }).toString() })
          }}
        />
      ) : null}
      <RunsUntilNow
        title="Past bulk edits"
        heads={['Changes', 'Entries', 'Made', 'State', 'Changed']}
        empty="No bulk edits yet."
        runs={edits?.map((edit) => rowOf(edit, words))}
        query={query}
      />
    </WorkPage>
  )
}

function NewEdit({ target, onPreviewed }: { target: ListTarget; onPreviewed: (edit: BulkEditForAdmin) => void }) {
  return (
    <WorkSection title={`Edit ${target.words}`}>
      <p className="work-aside">
        {'Nothing changes before you have seen the preview. '}
        <TextLink to={target.back} state={target.backState}>
          Choose other entries
        </TextLink>
      </p>
      <BulkForm target={target} onPreviewed={onPreviewed} />
    </WorkSection>
  )
}

/** Entries that the list of content has led here with, and the way back to it. */
interface ListTarget extends BulkTarget {
  back: string
  backState?: unknown
}

function targetOf(search: string, state: unknown): ListTarget | undefined {
  const items = chosenIn(state)
  if (items.length > 0) {
    return {
      filter: { items },
      words: counted(items.length, 'selected entry', 'selected entries'),
      back: '/admin/settings',
      backState: state,
    }
  }
  if (!new URLSearchParams(search).has('tab')) return undefined
  const filters = readContentFilters(search)
  const { section, ...others } = filters
  const set = Object.entries({ ...others, section: section === 'all' ? '' : section }).filter(
    ([, value]) => value !== '',
  )
  const words = set.length === 0 ? 'all entries' : `all that match ${filtersInWords(filters)}`
  return { filter: Object.fromEntries(set), words, back: `/admin/settings?${writeContentFilters(filters)}` }
}

function rowOf({ id, changes, filter, madeAt, state, counts }: BulkEditForAdmin, words: FieldWords): RunUntilNow {
  const link = <TextLink to={`/admin/bulk-edit?edit=${id}`}>{valuesInWords(changes, words)}</TextLink>
  const isBegun = state !== 'previewing' && state !== 'ready'
  const changed = counts.changed + counts.undone + counts.left
  return {
    id,
    cells: [link, whichInWords(filter, words), { at: madeAt }, bulkStateNames[state], isBegun ? changed : noFigure],
    hasFailed: state === 'failed',
  }
}
