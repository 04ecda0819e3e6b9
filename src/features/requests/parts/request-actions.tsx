import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { type ApiError, request } from '../../../browser/api-client.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import type { MenuItem } from '../../../ui/menu.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { recheckAccess } from '../../office/browser/admin-query.ts'
import { RequestForAdmin, undoSeconds } from '../content-requests/request-schema.ts'
import { requestsPath } from './request-paths.ts'

const decisions = { approve: 'approved', reject: 'rejected' } as const
type Verb = keyof typeof decisions

/** Decides; the same decision by somebody else is no conflict. */
async function decide(id: string, verb: Verb): Promise<RequestForAdmin> {
  try {
    return await request(`${requestsPath}/${id}/${verb}`, RequestForAdmin, { method: 'POST' })
  } catch (error) {
    const { status, data } = error as ApiError
    const current = RequestForAdmin.safeParse((data as { current?: unknown } | undefined)?.current)
    if (status !== 409 || current.data?.status !== decisions[verb] || current.data.removedAt !== null) throw error
    return current.data
  }
}

/**
 * The acts of an administrator on a request: its next step, the rest in a menu, and for ten seconds the undo of a
 * decision. Each row has its own state, so that none waits for another.
 */
export function RequestActions({
  wanted: { id, title, status, item },
  onLink,
  onRemove,
  onChanged,
  onFailed,
  onOvertaken,
}: {
  wanted: RequestForAdmin
  onLink: () => void
  onRemove: () => void
  onChanged: (changed: RequestForAdmin) => void
  /** Called with what went wrong, and with undefined once it goes well. */
  onFailed: (message: string | undefined) => void
  onOvertaken: () => void
}) {
  const root = useRef<HTMLDivElement>(null)
  const [isUndoable, setIsUndoable] = useState(false)
  const acting = useApiMutation<RequestForAdmin, Verb | 'undo'>({
    mutationFn: (verb) =>
      verb === 'undo' ? request(`${requestsPath}/${id}/undo`, RequestForAdmin, { method: 'POST' }) : decide(id, verb),
    onSuccess: (changed, verb) => {
      onFailed(undefined)
      setIsUndoable(verb !== 'undo')
      onChanged(changed)
    },
    onError: (error: ApiError) => {
      onFailed(error.message)
      setIsUndoable(false)
      recheckAccess(error)
      if (error.status === 409) onOvertaken()
    },
  })
  useEffect(() => {
    if (!isUndoable) return
    const timer = setTimeout(() => setIsUndoable(false), undoSeconds * 1_000)
    return () => clearTimeout(timer)
  }, [isUndoable])
  const isUndoShown = isUndoable && status !== 'pending' && item === null
  const shape = `${status} ${isUndoShown}`
  const before = useRef(shape)
  useEffect(() => {
    // The button that had the focus is gone.
    if (before.current !== shape && document.activeElement === document.body)
      root.current?.focus({ preventScroll: true })
    before.current = shape
  }, [shape])

  const act = (verb: Verb | 'undo') => (): void => {
    if (!acting.isPending) acting.mutate(verb)
  }
  const label = (text: string) => (
    <>
      {text}
      <span className="sr-only">{`: ${title}`}</span>
    </>
  )
  const more: MenuItem[] = [
    ...(status === 'pending' ? [{ label: 'Reject', onSelect: act('reject') }] : []),
    // In the place of its button, while Undo has that.
    ...(status === 'approved' && isUndoShown ? [{ label: 'Link to an entry', onSelect: onLink }] : []),
    ...(status === 'approved' && item !== null ? [{ label: 'Change the entry', onSelect: onLink }] : []),
    { label: 'Take down', onSelect: onRemove },
  ]
  return (
    <div ref={root} className="data-actions request-actions" tabIndex={-1}>
      {isUndoShown ? (
        <Button look="quiet" label={label('Undo')} isBusy={acting.isPending} onClick={act('undo')} />
      ) : null}
      {status === 'pending' ? (
        <Button label={label('Approve')} isBusy={acting.isPending} onClick={act('approve')} />
      ) : null}
      {status === 'approved' && item === null && !isUndoShown ? (
        <Button label={label('Link to an entry')} onClick={onLink} />
      ) : null}
      <RowMenu about={`: ${title}`} items={more} />
      <span className="sr-only" role="status">
        {isUndoShown ? `${status === 'approved' ? 'Approved' : 'Rejected'}. You can undo it for ten seconds.` : ''}
      </span>
    </div>
  )
}
