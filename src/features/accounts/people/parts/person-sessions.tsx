import { useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { useApiMutation } from '../../../../browser/queries.ts'
import { MessageAnswer } from '../../../../http/message-schema.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import { recheckAccess } from '../../browser/admin-query.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { type PersonPageProps, personPath } from '../person-page.ts'

/** Where a member is signed in. */
export function PersonSessions({ person, now, onChanged }: PersonPageProps) {
  const { sessions } = person
  const [isAsking, setIsAsking] = useState(false)
  const [done, setDone] = useState<string>()
  const end = useApiMutation({
    mutationFn: () => request(`${personPath(person.id)}/sessions`, MessageAnswer, { method: 'DELETE' }),
    onSuccess: ({ message }) => {
      setIsAsking(false)
      setDone(message)
      onChanged()
    },
    onError: recheckAccess,
  })
  return (
    <WorkSection title="Sessions">
      {sessions.length === 0 ? (
        <p>Not signed in anywhere.</p>
      ) : (
        <>
          <DataTable label="Sessions" heads={['Device', 'Signed in', 'Last seen']}>
            {sessions.map(({ id, device, createdAt, lastSeenAt, isCurrent }) => (
              <tr key={id}>
                <td>{isCurrent ? `${device} (this device)` : device}</td>
                <td>
                  <time dateTime={createdAt}>{dayInWords(createdAt)}</time>
                </td>
                <td>
                  <Moment at={lastSeenAt} now={now} />
                </td>
              </tr>
            ))}
          </DataTable>
          <div className="person-actions">
            <button type="button" className="button" aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
              Sign out everywhere
            </button>
          </div>
        </>
      )}
      <Announced>{done === undefined ? null : <Notice tone="done">{done}</Notice>}</Announced>
      {isAsking ? (
        <ConfirmDialog
          title="Sign out everywhere"
          label="Sign out everywhere"
          labelWhileSending="Signing out..."
          otherwise="An error occurred. Please try again."
          act={() => end.mutateAsync()}
          onClose={() => setIsAsking(false)}
        >
          <p>
            Every device of <bdi>{person.name}</bdi> (<bdi>{person.email}</bdi>) is signed out at once
            {person.isSelf ? ', also this one' : ''}. Their password stays as it is.
          </p>
        </ConfirmDialog>
      ) : null}
    </WorkSection>
  )
}
