import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { counted } from '../../../../platform/counted.ts'
import { noAnswer, request } from '../../../../browser/api-client.ts'
import { downloadFile } from '../../../../browser/api-files.ts'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { refetchAnswers, refetchAnswersUnder, useApiMutation } from '../../../../browser/queries.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { Select } from '../../../../ui/select.tsx'
import { Progress } from '../../../../ui/progress.tsx'
import { WorkSection, WorkTools, WorkWaiting } from '../../../../ui/work-page.tsx'
import { recheckAccess, useAdminQuery } from '../../../accounts/browser/admin-query.ts'
import { ConfirmDialog } from '../../../accounts/parts/confirm-dialog.tsx'
import type { AddressFilters } from '../../../accounts/parts/use-address-filters.ts'
import { MemberImport, MemberImportRows, rowOutcomes } from '../import-schema.ts'
import { countsInWords, importsPath, outcomeNames, stateNames } from './import-words.ts'

const pollEveryMs = 1_500

const tints = { new: undefined, existing: 'is-off', rejected: 'is-danger', made: 'is-good' } as const

/** One file: what an import would do, or has done, row by row. */
export function ImportReport({ id, filters }: { id: string; filters: AddressFilters }) {
  const path = `${importsPath}/${encodeURIComponent(id)}`
  const { data, error, setData } = useAdminQuery(path, MemberImport, {
    refetchAfterMs: (read) => (read?.state === 'running' ? pollEveryMs : false),
  })
  const [asked, setAsked] = useState<'start' | 'discard'>()
  const navigate = useNavigate()
  const isRunning = data?.state === 'running'

  // What became of the rows is another answer, and so is the list below.
  const state = data?.state
  useEffect(() => {
    if (state === 'done') refetchAnswersUnder(importsPath, '/api/people', '/auth/vip-')
  }, [state])

  const start = useApiMutation({
    mutationFn: () => request(`${path}/start`, MemberImport, { method: 'POST' }),
    onSuccess: (started) => {
      setAsked(undefined)
      setData(() => started)
      refetchAnswers(importsPath)
    },
    onError: recheckAccess,
  })
  const discard = useApiMutation({
    mutationFn: () => request(path, noAnswer, { method: 'DELETE' }),
    onSuccess: () => {
      refetchAnswers(importsPath)
      void navigate({ search: '' }, { replace: true })
    },
    onError: recheckAccess,
  })

  if (data === undefined) return error === undefined ? <WorkWaiting /> : <Notice tone="failed">{error.message}</Notice>
  const { counts } = data
  const total = counts.new + counts.made + counts.existing
  return (
    <WorkSection title={data.state === 'done' ? 'What was imported' : 'What would be imported'}>
      <p role="status">{`${stateNames[data.state]}: ${countsInWords(counts)}.`}</p>
      {isRunning ? (
        <Progress label="Import" share={(total - counts.new) / total}>
          {`${(total - counts.new).toLocaleString('en-US')} of ${counted(total, 'member')}`}
        </Progress>
      ) : null}
      {data.state !== 'ready' && data.invitationsWaiting > 0 ? (
        <Notice tone="calm">{`${data.invitationsWaiting.toLocaleString('en-US')} invitations wait. 60 are sent each minute.`}</Notice>
      ) : null}
      {data.stoppedAt === null ? null : (
        <Notice tone="calm">
          It was stopped: whoever started it is not an administrator any more. Who was imported until then stays.
        </Notice>
      )}
      <Announced>{error === undefined ? null : <Notice tone="failed">{error.message}</Notice>}</Announced>
      {data.state === 'ready' || data.state === 'done' ? (
        <div className="data-actions">
          {data.state === 'ready' ? (
            <button
              type="button"
              className="button button-solid"
              disabled={counts.new === 0}
              aria-haspopup="dialog"
              onClick={() => setAsked('start')}
            >
              {`Import ${counted(counts.new, 'member')}`}
            </button>
          ) : null}
          <button type="button" className="button" aria-haspopup="dialog" onClick={() => setAsked('discard')}>
            Delete this report
          </button>
        </div>
      ) : null}
      {counts.rejected === 0 || data.state === 'reading' ? null : <Rejects path={`${path}/rejects`} />}
      <Rows key={data.state} path={path} filters={filters} />
      {asked === 'start' ? (
        <ConfirmDialog
          title="Import members"
          label={`Import ${counted(counts.new, 'member')}`}
          labelWhileSending="Starting..."
          otherwise="An error occurred. Please try again."
          act={() => start.mutateAsync()}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {`${counted(counts.new, 'member')} will get an account without a password, and an email with a link to set one. Be sure that they have agreed to that.`}
          </p>
        </ConfirmDialog>
      ) : null}
      {asked === 'discard' ? (
        <ConfirmDialog
          title="Delete this report"
          label="Delete"
          labelWhileSending="Deleting..."
          otherwise="An error occurred. Please try again."
          act={() => discard.mutateAsync()}
          onClose={() => setAsked(undefined)}
        >
          <p>The file's rows and this report are deleted. Members who were imported stay.</p>
        </ConfirmDialog>
      ) : null}
    </WorkSection>
  )
}

function Rejects({ path }: { path: string }) {
  const download = useApiMutation({ mutationFn: () => downloadFile(path), onError: recheckAccess })
  return (
    <>
      <p>The rejected rows stand in a file with their reasons: mend them there, and import that file.</p>
      <div className="data-actions">
        <button
          type="button"
          className="button"
          aria-disabled={download.isPending}
          onClick={() => {
            if (!download.isPending) download.mutate()
          }}
        >
          {download.isPending ? 'Preparing...' : 'Download the rejects file'}
        </button>
      </div>
      <Announced>
        {download.error === null ? null : <Notice tone="failed">{download.error.message}</Notice>}
        {download.data === undefined ? null : <Notice tone="done">{`Saved as ${download.data}.`}</Notice>}
      </Announced>
    </>
  )
}

function Rows({ path, filters }: { path: string; filters: AddressFilters }) {
  /** The last lines of the pages before this one. */
  const [before, setBefore] = useState<readonly number[]>([])
  const outcome = rowOutcomes.find((one) => one === filters.get('outcome'))
  const asked = new URLSearchParams({ after: String(before.at(-1) ?? 0) })
  if (outcome !== undefined) asked.set('outcome', outcome)
  const { data, error, isFetching } = useAdminQuery(`${path}/rows?${asked.toString()}`, MemberImportRows, {
    keepsPrevious: true,
  })
  return (
    <>
      <WorkTools>
        <Select
          name="outcome"
          label="Rows"
          value={outcome ?? ''}
          options={[
            { value: '', label: 'All rows' },
            ...rowOutcomes.map((one) => ({ value: one, label: outcomeNames[one] })),
          ]}
          onChange={(next) => {
            setBefore([])
            filters.set('outcome', next)
          }}
        />
      </WorkTools>
      {error === undefined ? null : <Notice tone="failed">{error.message}</Notice>}
      {data === undefined ? null : data.rows.length === 0 ? (
        <p className="work-empty">No row is like that.</p>
      ) : (
        <DataTable
          label="Rows of the file"
          heads={['Line', 'Member', 'Outcome', 'Member since', 'VIP until']}
          isBusy={isFetching}
        >
          {data.rows.map((row) => (
            <tr key={row.line} className={tints[row.outcome]}>
              <td className="data-figure">{row.line}</td>
              <td>
                <bdi>{row.name}</bdi>
                <br />
                <bdi>{row.email}</bdi>
              </td>
              <td>
                {outcomeNames[row.outcome]}
                {row.reason === null ? null : (
                  <>
                    <br />
                    {row.reason}
                  </>
                )}
              </td>
              <td>{row.createdAt === null ? '' : dayInWords(row.createdAt)}</td>
              <td>{row.vipUntil === null ? '' : dayInWords(row.vipUntil)}</td>
            </tr>
          ))}
        </DataTable>
      )}
      {data !== undefined && (data.hasMore || before.length > 0) ? (
        <div className="data-actions">
          <button
            type="button"
            className="button"
            disabled={before.length === 0}
            onClick={() => setBefore((pages) => pages.slice(0, -1))}
          >
            Previous rows
          </button>
          <button
            type="button"
            className="button"
            disabled={!data.hasMore}
            onClick={() => {
              const end = data.rows.at(-1)
              if (end !== undefined) setBefore((pages) => [...pages, end.line])
            }}
          >
            Next rows
          </button>
        </div>
      ) : null}
    </>
  )
}
