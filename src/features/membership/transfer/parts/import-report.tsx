import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import { request, noAnswer } from '../../../../browser/api-client.ts'
import { refetchAnswersUnder, useApiMutation, refetchAnswers } from '../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkSection, WorkWaiting, WorkEmpty, WorkTools } from '../../../../ui/work-page.tsx'
import { recheckAccess, useAdminQuery, useAdminPages } from '../../../office/browser/admin-query.ts'
import { RejectsDownload } from '../../../office/runs/parts/rejects-download.tsx'
import { RunProgress } from '../../../office/runs/parts/run-progress.tsx'
import type { AddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { MemberImport, MemberImportRows, rowOutcomes } from '../import-schema.ts'
import { countsInWords, invitationsInWords, importsPath, isUnderWay, stateNames, outcomeNames } from './import-words.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { LoadMore } from '../../../../ui/load-more.tsx'
import { optionsOf, Select } from '../../../../ui/select.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'

const pollEveryMs = 1_500

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

  // A new state needs a new report and a new list.
  const state = data?.state
  const before = useRef(state)
  useEffect(() => {
    const wasRunning = before.current === 'running'
    before.current = state
    if (state === 'done' || (wasRunning && state !== 'running'))
      refetchAnswersUnder(importsPath, '/api/people', '/auth/vip-')
  }, [state])

  const cancel = useApiMutation({
    mutationFn: () => request(`${path}/cancel`, MemberImport, { method: 'POST' }),
    onSuccess: (stopped) => setData(() => stopped),
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
          <Button label="Stop the invitations" aria-haspopup="dialog" onClick={() => setAsked('stop')} />
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
      <ReportActions imported={data} onAsk={setAsked} />
      {counts.rejected === 0 || data.state === 'reading' ? null : <RejectsDownload path={`${path}/rejects`} />}
      <ImportRows key={data.state} path={path} filters={filters} />
      {asked === undefined ? null : (
        <ImportQuestion
          asked={asked}
          imported={data}
          path={path}
          onDone={(changed) => {
            if (asked === 'stop') setAreStopped(true)
            if (changed === undefined) void navigate({ search: '' }, { replace: true })
            else {
              setAsked(undefined)
              setData(() => changed)
            }
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </WorkSection>
  )
}

function ReportActions({
  imported: { state, counts, invitationsWaiting },
  onAsk,
}: {
  imported: MemberImport
  onAsk: (asked: 'start' | 'discard') => void
}) {
  const canStart = state === 'ready' || state === 'stopped' || state === 'failed'
  return canStart || state === 'done' ? (
    <div className="data-actions">
      {canStart ? (
        <Button
          look="solid"
          label={`Import ${counted(counts.new, 'member')}`}
          disabled={counts.new === 0}
          aria-haspopup="dialog"
          onClick={() => onAsk('start')}
        />
      ) : null}
      {invitationsWaiting > 0 ? null : (
        <Button label="Delete this report" aria-haspopup="dialog" onClick={() => onAsk('discard')} />
      )}
    </div>
  ) : null
}

/** Asks before a file of members is imported, its invitations stop, or its report goes. */
function ImportQuestion({
  asked,
  imported,
  path,
  onDone,
  onClose,
}: {
  asked: 'start' | 'discard' | 'stop'
  imported: MemberImport
  path: string
  /** Takes the import as it is then; undefined where it is gone. */
  onDone: (changed: MemberImport | undefined) => void
  onClose: () => void
}) {
  const members = counted(imported.counts.new, 'member')
  const { sentence, verb, ...words } = {
    start: {
      title: 'Import members',
      label: `Import ${members}`,
      labelWhileSending: 'Starting...',
      verb: 'start',
      sentence: `${members} will get an account without a password, and an email with a link to set one. Make sure that they have agreed to this.`,
    },
    stop: {
      title: 'Stop the invitations',
      label: 'Stop the invitations',
      labelWhileSending: 'Stopping...',
      isGrave: true,
      verb: 'stop-invitations',
      sentence: `${isUnderWay(imported) ? 'The import stops, too. ' : ''}Members who were imported keep their accounts; those not invited yet are not told. You can still invite each of them on their page.`,
    },
    discard: {
      title: 'Delete this report',
      label: 'Delete',
      labelWhileSending: 'Deleting...',
      verb: undefined,
      sentence: "The file's rows and this report are deleted. Members who were imported stay.",
    },
  }[asked]
  return (
    <ConfirmDialog
      {...words}
      otherwise="An error occurred. Please try again."
      act={async () => {
        const changed =
          verb === undefined
            ? await request(path, noAnswer, { method: 'DELETE' })
            : await request(`${path}/${verb}`, MemberImport, { method: 'POST' })
        onDone(changed)
        refetchAnswers(importsPath)
      }}
      onClose={onClose}
    >
      <p>{sentence}</p>
    </ConfirmDialog>
  )
}

const tints = { new: undefined, existing: 'is-off', rejected: 'is-danger', made: 'is-good' } as const

function ImportRows({ path, filters }: { path: string; filters: AddressFilters }) {
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
          options={optionsOf(outcomeNames, 'All rows')}
          onChange={(next) => filters.set('outcome', next)}
        />
      </WorkTools>
      {pages.length === 0 ? null : rows.length === 0 ? (
        <WorkEmpty step={<Button label="Show all rows" onClick={() => filters.set('outcome', '')} />}>
          No such rows.
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
                <UserText>{row.name}</UserText>
                <br />
                <UserText>{row.email}</UserText>
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
