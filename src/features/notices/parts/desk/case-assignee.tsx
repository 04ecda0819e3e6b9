import { type ApiError, request } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { Select } from '../../../../ui/select.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { NoticeForDesk } from '../../desk/desk-schema.ts'
import { type CaseOnDesk, currentIn } from './case-calls.ts'
import { assigneeInWords } from './desk-words.ts'
import { noticePath } from './notice-paths.ts'

/** The administrator who works on the case; a choice takes effect at once. */
export function CaseAssignee({ desk }: { desk: CaseOnDesk }) {
  const { reference, assignee, assignable } = desk.notice
  const assign = useApiMutation<NoticeForDesk, string>({
    mutationFn: (to) =>
      request(noticePath(reference, 'assign'), NoticeForDesk, {
        method: 'POST',
        body: { to: to === '' ? null : to, was: assignee?.id ?? null },
      }),
    onSuccess(changed) {
      desk.onChanged(changed)
      desk.onDone(
        changed.assignee === null ? 'Nobody is assigned.' : `${changed.assignee.name} works on this notice now.`,
      )
    },
    onError(error: ApiError) {
      recheckAccess(error)
      const current = currentIn(error)
      if (current !== undefined) desk.onChanged(current)
      if (error.status === 404) desk.onGone()
    },
  })
  return (
    <>
      <div className="desk-assignee">
        <span aria-hidden="true">Assigned to</span>
        <Select
          name="assignee"
          label="Assigned to"
          value={assignee?.id ?? ''}
          options={[
            { value: '', label: 'Nobody' },
            ...assignable.map((one) => ({ value: one.id, label: assigneeInWords(one) })),
          ]}
          onChange={(to) => {
            if (!assign.isPending) assign.mutate(to)
          }}
        />
      </div>
      <Announced>{assign.error === null ? null : <Notice tone="failed">{assign.error.message}</Notice>}</Announced>
    </>
  )
}
