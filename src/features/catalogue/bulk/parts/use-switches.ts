import { useRef, useState } from 'react'
import { ApiError, request } from '../../../../browser/api-client.ts'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { BulkEditForAdmin } from '../bulk-schema.ts'

export interface Switches {
  /** Sends one after the other, in the order of the clicks. */
  send: (items: readonly string[], isOn: boolean) => void
  isBusy: boolean
  error: ApiError | undefined
  /** Rises when what is shown is not what the server has. */
  faults: number
  lookAgain: () => void
}

/**
 * Switches entries of a preview on and off, each at once on the server: a reload or another tab shows the same.
 * @param path of the edit
 */
export function useSwitches(path: string, onSwitched: (edit: BulkEditForAdmin) => void, refetch: () => void): Switches {
  const queue = useRef(Promise.resolve())
  const [waiting, setWaiting] = useState(0)
  const [error, setError] = useState<ApiError>()
  const [faults, setFaults] = useState(0)
  const lookAgain = (): void => {
    setFaults((count) => count + 1)
    refetch()
  }
  const sendNow = async (items: readonly string[], isOn: boolean): Promise<void> => {
    try {
      onSwitched(await request(`${path}/switch`, BulkEditForAdmin, { method: 'POST', body: { items, isOn } }))
      setError(undefined)
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault
      setError(fault)
      recheckAccess(fault)
      lookAgain()
    } finally {
      setWaiting((count) => count - 1)
    }
  }
  return {
    send(items, isOn) {
      setWaiting((count) => count + 1)
      queue.current = queue.current.then(() => sendNow(items, isOn))
    },
    isBusy: waiting > 0,
    error,
    faults,
    lookAgain,
  }
}
