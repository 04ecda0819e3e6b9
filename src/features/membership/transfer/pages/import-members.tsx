import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { TextLink } from '../../../../ui/button.tsx'
import { usualSentence } from '../../../../browser/api-client.ts'
import { uploadFile } from '../../../../browser/api-files.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { refetchAnswers } from '../../../../browser/queries.ts'
import { FileField } from '../../../../ui/file-field.tsx'
import { Form } from '../../../../ui/form/form.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { useApiForm } from '../../../office/browser/api-form.ts'
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
  const query = useAdminQuery(importsPath, MemberImports, {
    refetchAfterMs: (answer) => (answer?.imports.some(isUnderWay) === true ? lookAtRunsEveryMs : false),
  })
  return (
    <WorkPage
      title="Import members"
      lead="From a file, CSV or JSON lines, with the columns email and name, and createdAt and vipUntil where you have them. Members who already have an account keep it unchanged; everybody else is invited by email to set a password."
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
        title="Recent files"
        heads={['Uploaded', 'State', 'Rows']}
        empty="No member file has been uploaded recently."
        runs={query.data?.imports.map((one) => rowOf(one, shown, query.answeredAt))}
        query={query}
      />
    </WorkPage>
  )
}

function FileForm() {
  const navigate = useNavigate()
  const [share, setShare] = useState(0)
  const form = useApiForm<{ file: File | null }>({
    defaults: { file: null },
    async send({ file }) {
      if (file === null) return
      setShare(0)
      const read = await uploadFile(importsPath, file, MemberImport, { onProgress: setShare })
      refetchAnswers(importsPath)
      void navigate({ search: new URLSearchParams({ import: read.id }).toString() }, { preventScrollReset: true })
    },
    otherwise: usualSentence,
  })
  const file = form.values.file
  return (
    <Form
      form={form}
      act={{ label: 'Check the file', labelWhileSending: 'Checking...', isReady: file !== null }}
      className="import-file"
    >
      <FileField
        name="file"
        label="File of members"
        accept=".csv,.jsonl,.ndjson,text/csv"
        help="The file is only checked: nobody is imported until you have seen the result."
        problem={form.problemOf('file')}
        file={file ?? undefined}
        isBusy={form.isSending}
        share={form.isSending ? share : undefined}
        onChoose={(chosen) => {
          // They are about the file before it.
          form.clear()
          form.set('file', chosen ?? null)
        }}
      />
    </Form>
  )
}

function rowOf({ id, createdAt, state, counts }: MemberImport, shown: string, now: number): RunUntilNow {
  const moment = <Moment at={createdAt} now={now} />
  const link = <TextLink to={{ search: new URLSearchParams({ import: id }).toString() }}>{moment}</TextLink>
  return {
    id,
    cells: [id === shown ? moment : link, stateNames[state], state === 'reading' ? noFigure : countsInWords(counts)],
    hasFailed: state === 'failed',
  }
}
