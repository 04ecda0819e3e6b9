import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { uploadFile } from '../../../../browser/api-files.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { refetchAnswers, useApiMutation } from '../../../../browser/queries.ts'
import { FileField } from '../../../../ui/file-field.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { recheckAccess, useAdminQuery } from '../../../office/browser/admin-query.ts'
import {
  lookAtRunsEveryMs,
  noFigure,
  RunsUntilNow,
  type RunUntilNow,
} from '../../../office/runs/parts/runs-until-now.tsx'
import { useAddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { MemberImport, MemberImports } from '../import-schema.ts'
import { ImportReport } from '../parts/import-report.tsx'
import { countsInWords, importsPath, isUnderWay, stateNames } from '../parts/import-words.ts'
import '../parts/import-members.css'

export const handle = { title: 'Import members' } satisfies TitledPage

export const meta = guardedMeta

/** Members from a file, for administrators: looked at first, then imported. The import that is shown stands in the address. */
export default function ImportMembersRoute() {
  const filters = useAddressFilters()
  const shown = filters.get('import')
  const { data, answeredAt, error, isFetching, refetch } = useAdminQuery(importsPath, MemberImports, {
    refetchAfterMs: (answer) => (answer?.imports.some(isUnderWay) === true ? lookAtRunsEveryMs : false),
  })
  return (
    <WorkPage
      title="Import members"
      lead="From a file, CSV or JSON lines, with the columns email and name, and createdAt and vipUntil where you have them. Members who have an account keep it as it is; everybody else is invited by email to set a password."
      actions={
        <Link className="button" to="/admin/people">
          <Icon name="back" size={16} />
          Back to People
        </Link>
      }
    >
      <FileForm />
      {shown === '' ? null : <ImportReport key={shown} id={shown} filters={filters} />}
      <RunsUntilNow
        title="Files of the last weeks"
        heads={['Uploaded', 'State', 'Rows']}
        empty="No file of members was uploaded in the last weeks."
        runs={data?.imports.map((one) => rowOf(one, shown, answeredAt))}
        now={answeredAt}
        error={error}
        isFetching={isFetching}
        onRetry={refetch}
      />
    </WorkPage>
  )
}

function FileForm() {
  const navigate = useNavigate()
  const [file, setFile] = useState<File>()
  const [share, setShare] = useState(0)
  const upload = useApiMutation({
    mutationFn: (chosen: File) => uploadFile(importsPath, chosen, MemberImport, { onProgress: setShare }),
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
        if (file === undefined || upload.isPending) return
        setShare(0)
        upload.mutate(file)
      }}
    >
      <FileField
        name="file"
        label="File of members"
        accept=".csv,.jsonl,.ndjson,text/csv"
        help="It is only looked at: nobody is imported before you have seen what would happen."
        file={file}
        isBusy={upload.isPending}
        share={upload.isPending ? share : undefined}
        onChoose={setFile}
      />
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

function rowOf({ id, createdAt, state, counts }: MemberImport, shown: string, now: number): RunUntilNow {
  const moment = <Moment at={createdAt} now={now} />
  const link = (
    <Link className="text-link" to={{ search: new URLSearchParams({ import: id }).toString() }}>
      {moment}
    </Link>
  )
  return {
    id,
    cells: [id === shown ? moment : link, stateNames[state], state === 'reading' ? noFigure : countsInWords(counts)],
    hasFailed: state === 'failed',
  }
}
