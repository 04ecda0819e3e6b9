import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import { request } from '../../../../browser/api-client.ts'
import { refetchAnswersUnder, useApiMutation } from '../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkSection, WorkWaiting } from '../../../../ui/work-page.tsx'
import { recheckAccess, useAdminQuery } from '../../../office/browser/admin-query.ts'
import { RejectsDownload } from '../../../office/runs/parts/rejects-download.tsx'
import { RunProgress } from '../../../office/runs/parts/run-progress.tsx'
import type { AddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { MemberImport } from '../import-schema.ts'
import { ImportQuestion } from './import-question.tsx'
import { ImportRows } from './import-rows.tsx'
import { countsInWords, invitationsInWords, importsPath, isUnderWay, stateNames } from './import-words.ts'

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
