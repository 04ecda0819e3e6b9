import { ApiError, request } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { recheckAccess, useAdminQuery } from '../../../office/browser/admin-query.ts'
import { BulkEditForAdmin } from '../bulk-schema.ts'
import { isAtWork } from './bulk-words.ts'
import { useSwitches } from './use-switches.ts'

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
