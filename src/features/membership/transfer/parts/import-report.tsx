import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { counted } from '../../../../platform/counted.ts'
import { noAnswer, request } from '../../../../browser/api-client.ts'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { refetchAnswers, refetchAnswersUnder, useApiMutation } from '../../../../browser/queries.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { LoadMore } from '../../../../ui/load-more.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { Select } from '../../../../ui/select.tsx'
import { WorkEmpty, WorkSection, WorkTools, WorkWaiting } from '../../../../ui/work-page.tsx'
import { recheckAccess, useAdminPages, useAdminQuery } from '../../../office/browser/admin-query.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { RejectsDownload } from '../../../office/runs/parts/rejects-download.tsx'
import { RunProgress } from '../../../office/runs/parts/run-progress.tsx'
import type { AddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { MemberImport, MemberImportRows, rowOutcomes } from '../import-schema.ts'
import { countsInWords, invitationsInWords, importsPath, isUnderWay, outcomeNames, stateNames } from './import-words.ts'
import { GivenText } from '../../../office/parts/given-text.tsx'

const pollEveryMs = 1_500

const tints = { new: undefined, existing: 'is-off', rejected: 'is-danger', made: 'is-good' } as const

/** One file: what an import would do, or has done, row by row. */
export function ImportReport({ id, filters }: { id: string; filters: AddressFilters }) {
  const path = `${importsPath}/${encodeURIComponent(id)}`
  const { data, error, setData } = useAdminQuery(path, MemberImport, {
    refetchAfterMs: (read) => (read !== undefined && isUnderWay(read) ? pollEveryMs : false),
  })
  const [asked, setAsked] = useState<'start' | 'discard' | 'stop'>()
  const [areStopped, setAreStopped] = useState(false)
  const navigate = useNavigate()
  const isRunning = data !== undefined && isUnderWay(data)
  const canStart = data?.state === 'ready' || data?.state === 'stopped' || data?.state === 'failed'

  // A new state needs a new report and a new list.
  const state = data?.state
  const before = useRef(state)
  useEffect(() => {
    const wasRunning = before.current === 'running'
    before.current = state
    if (state === 'done' || (wasRunning && state !== 'running'))
      refetchAnswersUnder(importsPath, '/api/people', '/auth/vip-')
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
  const cancel = useApiMutation({
    mutationFn: () => request(`${path}/cancel`, MemberImport, { method: 'POST' }),
    onSuccess: (stopped) => setData(() => stopped),
    onError: recheckAccess,
  })
  const stopInvitations = useApiMutation({
    mutationFn: () => request(`${path}/stop-invitations`, MemberImport, { method: 'POST' }),
    onSuccess: (stopped) => {
      setAsked(undefined)
      setAreStopped(true)
      setData(() => stopped)
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
        <RunProgress
          label="Import"
          share={(total - counts.new) / total}
          progress={`${(total - counts.new).toLocaleString('en-US')} of ${counted(total, 'member')}`}
          error={error}
          stop={{ label: 'Stop the import', isPending: cancel.isPending, onStop: () => cancel.mutate() }}
        />
      ) : null}
      {data.state !== 'ready' && data.invitationsWaiting > 0 ? (
        <Notice tone="calm">
          <p>{invitationsInWords(data.invitationsWaiting)}</p>
          <button type="button" className="button" aria-haspopup="dialog" onClick={() => setAsked('stop')}>
            Stop the invitations
          </button>
        </Notice>
      ) : null}
      <Announced>
        {areStopped && data.invitationsWaiting === 0 ? (
          <Notice tone="done">The invitations were stopped.</Notice>
        ) : null}
        {data.state === 'stopped' ? (
          <Notice tone="calm">
            It was stopped. Who was imported until then stays; import the rest, or delete the report.
          </Notice>
        ) : null}
        {data.failure === null ? null : (
          <Notice tone="failed">
            <p>{data.failure}</p>
            <p>Who was imported until then stays. Import the rest, or delete the report.</p>
          </Notice>
        )}
        {cancel.error === null ? null : <Notice tone="failed">{cancel.error.message}</Notice>}
      </Announced>
      <Announced>{isRunning || error === undefined ? null : <Notice tone="failed">{error.message}</Notice>}</Announced>
      {canStart || data.state === 'done' ? (
        <div className="data-actions">
          {canStart ? (
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
          {data.invitationsWaiting > 0 ? null : (
            <button type="button" className="button" aria-haspopup="dialog" onClick={() => setAsked('discard')}>
              Delete this report
            </button>
          )}
        </div>
      ) : null}
      {counts.rejected === 0 || data.state === 'reading' ? null : <RejectsDownload path={`${path}/rejects`} />}
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
      {asked === 'stop' ? (
        <ConfirmDialog
          title="Stop the invitations"
          label="Stop the invitations"
          labelWhileSending="Stopping..."
          isGrave
          otherwise="An error occurred. Please try again."
          act={() => stopInvitations.mutateAsync()}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {`${isRunning ? 'The import is stopped, too. ' : ''}Who was imported keeps the account; who was not invited yet hears nothing of it. You can send an invitation from the page of a member.`}
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

function Rows({ path, filters }: { path: string; filters: AddressFilters }) {
  const outcome = rowOutcomes.find((one) => one === filters.get('outcome'))
  const { pages, error, isFetching, hasMore, more } = useAdminPages(
    `${path}/rows${outcome === undefined ? '' : `?outcome=${outcome}`}`,
    MemberImportRows,
    { keepsPrevious: true },
  )
  const rows = pages.flatMap((page) => page.rows)
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
          onChange={(next) => filters.set('outcome', next)}
        />
      </WorkTools>
      {pages.length === 0 ? null : rows.length === 0 ? (
        <WorkEmpty
          step={
            <button type="button" className="button" onClick={() => filters.set('outcome', '')}>
              Show all rows
            </button>
          }
        >
          No row is like that.
        </WorkEmpty>
      ) : (
        <DataTable
          label="Rows of the file"
          heads={['Line', 'Member', 'Outcome', 'Member since', 'VIP until']}
          figures={['Line']}
          isBusy={isFetching}
        >
          {rows.map((row) => (
            <tr key={row.line} className={tints[row.outcome]}>
              <td className="data-figure">{row.line}</td>
              <td>
                <GivenText>{row.name}</GivenText>
                <br />
                <GivenText>{row.email}</GivenText>
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
      <LoadMore key={outcome} hasMore={hasMore} isFetching={isFetching} error={error} onMore={more} />
    </>
  )
}
