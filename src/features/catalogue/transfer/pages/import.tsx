import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { TextLink } from '../../../../ui/button.tsx'
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
import { type ImportForAdmin, ImportsForAdmin } from '../import-schema.ts'
import { ExportForm } from '../parts/export-form.tsx'
import { ImportCard } from '../parts/import-card.tsx'
import { isUnderWay, stateInWords } from '../parts/import-words.ts'
import { UploadForm } from '../parts/upload-form.tsx'
import '../parts/transfer.css'

export const handle = { title: 'Import' } satisfies TitledPage

export const meta = guardedMeta

/** Import and export of the catalogue. The import that is shown stands in the address; else what waits or is under way. */
export default function ImportRoute() {
  const requested = new URLSearchParams(useLocation().search).get('import')
  const navigate = useNavigate()
  const query = useAdminQuery('/api/imports', ImportsForAdmin, {
    refetchAfterMs: (answer) => (answer?.imports.some(isUnderWay) === true ? lookAtRunsEveryMs : false),
  })
  const imports = query.data?.imports
  const current = imports?.find((each) => each.state === 'waiting' || isUnderWay(each))?.id
  // A finished import stays in view, with its result.
  const [last, setLast] = useState(current)
  if (current !== undefined && current !== last) setLast(current)
  const shown = requested ?? current ?? last
  return (
    <WorkPage
      title="Import and export"
      lead="Add or change many entries from a file, and save entries to one. An export can be imported again."
    >
      {shown === undefined ? null : (
        <WorkSection title="This import">
          <ImportCard key={shown} id={shown} />
        </WorkSection>
      )}
      <WorkSection title="Upload a file">
        <UploadForm
          isNextStep={current === undefined}
          onUploaded={({ id }) => {
            refetchAnswers('/api/imports')
            void navigate({ search: new URLSearchParams({ import: id }).toString() })
          }}
        />
      </WorkSection>
      <WorkSection title="Export">
        <ExportForm />
      </WorkSection>
      <RunsUntilNow
        title="Past imports"
        heads={['File', 'Uploaded', 'State', 'Rows', 'Problems']}
        empty="Nothing has been imported in the browser yet."
        runs={imports?.map(rowOf)}
        query={query}
      />
    </WorkPage>
  )
}

function rowOf(imported: ImportForAdmin): RunUntilNow {
  const { id, fileName, uploadedAt, state, rowsDone, tally, problems } = imported
  // Until the first rows are through, how many there are is not known.
  const figures = tally === null && rowsDone === 0 ? [noFigure, noFigure] : [rowsDone, problems]
  const link = <TextLink to={`/admin/import?import=${id}`}>{fileName}</TextLink>
  return { id, cells: [link, { at: uploadedAt }, stateInWords(imported), ...figures], hasFailed: state === 'failed' }
}
