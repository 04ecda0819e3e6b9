import { ApiError, request } from '../../../../browser/api-client.ts'
import { useApiMutation, refetchAnswersUnder } from '../../../../browser/queries.ts'
import { recheckAccess, useAdminQuery } from '../../../office/browser/admin-query.ts'
import { BulkEditForAdmin } from '../bulk-schema.ts'
import { isAtWork } from './bulk-words.ts'
import { useRef, useState } from 'react'

const lookEveryMs = 1_000

/** An edit and what can be done with it. While it is at work, it is asked for again and again. */
export function useBulkEdit(id: string) {
  const path = `/api/bulk-edits/${id}`
  const { data, error, setData } = useAdminQuery(path, BulkEditForAdmin, {
    refetchAfterMs: (edit) => (edit !== undefined && isAtWork(edit) ? lookEveryMs : false),
  })
  const show = (edit: BulkEditForAdmin): void => setData(() => edit)
  const call = (verb: 'apply' | 'undo' | 'cancel', body = {}): Promise<BulkEditForAdmin> =>
    request(`${path}/${verb}`, BulkEditForAdmin, { method: 'POST', body })
  const switches = useSwitches(path, show)
  const cancel = useApiMutation({ mutationFn: () => call('cancel'), onSuccess: show, onError: recheckAccess })
  return {
    edit: data,
    error,
    switches,
    cancel,
    async start(verb: 'apply' | 'undo'): Promise<void> {
      try {
        show(await call(verb, verb === 'apply' ? { version: data?.version } : {}))
      } catch (refusal) {
        // Somebody else has switched entries, or begun: their state is shown behind the sentence.
        if (refusal instanceof ApiError && refusal.status === 409) switches.lookAgain()
        throw refusal
      }
    },
  }
}

/**
 * Switches entries of a preview on and off, each at once on the server: a reload or another tab shows the same.
 * @param path of the edit
 */
function useSwitches(path: string, onSwitched: (edit: BulkEditForAdmin) => void) {
  const last = useRef(Promise.resolve(true))
  const [waiting, setWaiting] = useState(0)
  const [error, setError] = useState<ApiError>()
  /** The screen does not show what the server has. */
  const lookAgain = (): void => refetchAnswersUnder(path)
  const sendNow = async (items: readonly string[], isOn: boolean): Promise<boolean> => {
    try {
      onSwitched(await request(`${path}/switch`, BulkEditForAdmin, { method: 'POST', body: { items, isOn } }))
      setError(undefined)
      return true
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault
      setError(fault)
      recheckAccess(fault)
      lookAgain()
      return false
    } finally {
      setWaiting((count) => count - 1)
    }
  }
  return {
    /** Sends one after the other, in the order of the clicks, and says whether it was done. */
    send(items: readonly string[], isOn: boolean): Promise<boolean> {
      setWaiting((count) => count + 1)
      last.current = last.current.then(() => sendNow(items, isOn))
      return last.current
    },
    isBusy: waiting > 0,
    error,
    lookAgain,
  }
}
