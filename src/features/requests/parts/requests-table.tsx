import { type RefObject, useEffect, useRef, useState } from 'react'
import { DataTable } from '../../../ui/data-table.tsx'
import { SelectionAct, SelectionTools, useSelection } from '../../../ui/list-page/selection.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { maxChosen, type RequestForAdmin } from '../content-requests/request-schema.ts'
import { FulfilDialog } from './fulfil-dialog.tsx'
import { ManyRequestsDialog, requestsInWords, RemoveDialog } from './many-requests-dialog.tsx'
import { RequestActions } from './request-actions.tsx'
import { RequestRow } from './request-row.tsx'

export function RequestsTable({
  requests,
  now,
  isBusy,
  onChanged,
  onOvertaken,
}: {
  requests: readonly RequestForAdmin[]
  now: number
  isBusy: boolean
  onChanged: (...changed: RequestForAdmin[]) => void
  /** Somebody else was first. */
  onOvertaken: () => void
}) {
  const selection = useSelection()
  const [asked, setAsked] = useState<'remove' | 'reject'>()
  const [announced, setAnnounced] = useState<string>()
  const toRemove = requests.filter(({ removedAt }) => removedAt === null).slice(0, maxChosen)
  const picked = toRemove.filter(({ id }) => selection.has(id))
  const pending = picked.filter(({ status }) => status === 'pending')
  const [fulfilled, setFulfilled] = useState<RequestForAdmin>()
  const [removed, setRemoved] = useState<RequestForAdmin>()
  const [failure, setFailure] = useState<string>()
  const [takenDownId, setTakenDownId] = useState<string>()
  const takenDown = useTakenDownCell(
    removed === undefined && asked === undefined ? requests.find(({ id }) => id === takenDownId) : undefined,
  )
  return (
    <>
      <SelectionTools ids={toRemove.map(({ id }) => id)} selection={selection}>
        <ManyActs picked={picked.length} pending={pending.length} onAct={setAsked} />
      </SelectionTools>
      <Announced>{announced === undefined ? null : <Notice tone="done">{announced}</Notice>}</Announced>
      <Announced>{failure === undefined ? null : <Notice tone="failed">{failure}</Notice>}</Announced>
      <DataTable
        label="Requests"
        heads={['Title', 'Description', 'Votes', 'Status', 'Date', 'Actions']}
        figures={['Votes']}
        isBusy={isBusy}
      >
        {requests.map((one) => (
          <RequestRow
            key={one.id}
            wanted={one}
            now={now}
            selection={selection}
            focus={one.id === takenDownId ? takenDown : undefined}
            actions={
              <RequestActions
                wanted={one}
                onLink={() => setFulfilled(one)}
                onRemove={() => setRemoved(one)}
                onChanged={onChanged}
                onFailed={setFailure}
                onOvertaken={onOvertaken}
              />
            }
          />
        ))}
      </DataTable>
      {fulfilled === undefined ? null : (
        <FulfilDialog
          wanted={fulfilled}
          onFulfilled={(changed) => {
            setFulfilled(undefined)
            onChanged(changed)
          }}
          onClose={() => setFulfilled(undefined)}
        />
      )}
      {asked === undefined ? null : (
        <ManyRequestsDialog
          act={asked}
          requests={asked === 'remove' ? picked : pending}
          onDone={(sentence, changed, first) => {
            onChanged(...changed)
            setAnnounced(sentence)
            selection.clear()
            setTakenDownId(first)
            setAsked(undefined)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {removed === undefined ? null : (
        <RemoveDialog
          wanted={removed}
          onRemoved={(changed) => {
            onChanged(changed)
            setTakenDownId(changed.id)
            setRemoved(undefined)
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  )
}

function ManyActs({
  picked,
  pending,
  onAct,
}: {
  picked: number
  pending: number
  onAct: (act: 'remove' | 'reject') => void
}) {
  return (
    <>
      <SelectionAct
        count={picked}
        label={`Take down ${requestsInWords(picked)}`}
        labelWithout="Take down selected"
        onAct={() => onAct('remove')}
      />
      <SelectionAct
        count={pending}
        label={`Reject ${requestsInWords(pending)}`}
        labelWithout="Reject selected"
        onAct={() => onAct('reject')}
      />
    </>
  )
}

/** The cell of a request that was just taken down; it gets the focus, as the button that had it is gone. */
function useTakenDownCell(removed: RequestForAdmin | undefined): RefObject<HTMLTableCellElement | null> {
  const cell = useRef<HTMLTableCellElement>(null)
  const isTakenDown = removed !== undefined && removed.removedAt !== null
  useEffect(() => {
    if (isTakenDown && document.activeElement === document.body) cell.current?.focus()
  }, [isTakenDown])
  return cell
}
