import { useRef, useState } from 'react'
import { ApiError, request } from '../../../../browser/api-client.ts'
import { refetchAnswersUnder } from '../../../../browser/queries.ts'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { BulkEditForAdmin } from '../bulk-schema.ts'

/**
 * Switches entries of a preview on and off, each at once on the server: a reload or another tab shows the same.
 * @param path of the edit
 */
export function useSwitches(path: string, onSwitched: (edit: BulkEditForAdmin) => void) {
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
