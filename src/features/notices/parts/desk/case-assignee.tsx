import { type ApiError, request } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { Select } from '../../../../ui/select.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { NoticeForDesk } from '../../desk/desk-schema.ts'
import { type CaseOnDesk, currentIn } from './case-calls.ts'
import { assigneeInWords, elementInWords } from './desk-words.ts'
import { noticePath } from './notice-paths.ts'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'
import { Facts } from './facts.tsx'

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

export function CaseSender({ sender, forgottenAt }: Pick<NoticeForDesk, 'sender' | 'forgottenAt'>) {
  const { name, organization, address, phone, email } = sender
  const lines: [string, string | null][] = [
    ['Name', name],
    ['Organization', organization],
    ['Postal address', address],
    ['Telephone', phone],
  ]
  if (email === null && lines.every(([, value]) => value === null)) {
    return <p>The sender gave no name and no contact details. They can only follow the notice on its private page.</p>
  }
  return (
    <Facts
      of={[
        ...lines.map(([label, value]) => [label, value === null ? null : <UserText>{value}</UserText>] as const),
        [
          'Email',
          email === null ? (
            <span className="work-aside">None, so we cannot email them.</span>
          ) : (
            <a className="work-link" href={`mailto:${encodeURIComponent(email)}`}>
              <UserText>{email}</UserText>
            </a>
          ),
        ],
        ['Deleted', forgottenAt && `Postal address, telephone and signature, ${timeInWords(forgottenAt)}.`],
      ]}
    />
  )
}

export function CaseWords({
  notice: { workDescription, explanation, lawCited, signature },
}: {
  notice: Pick<NoticeForDesk, 'workDescription' | 'explanation' | 'lawCited' | 'signature'>
}) {
  const words: [string, string | null][] = [
    ['The work', workDescription],
    ['What they say', explanation],
    ['The law they name', lawCited],
    ['Signed', signature],
  ]
  if (words.every(([, value]) => value === null)) return <p>They wrote nothing else.</p>
  return <Facts of={words} />
}

export function CaseElements({ kind, elements }: Pick<NoticeForDesk, 'kind' | 'elements'>) {
  if (elements.length === 0) return <p>The law requires nothing more of this kind of notice.</p>
  return (
    <ul className="desk-elements">
      {elements.map(({ name, label, isGiven }) => (
        <li key={name}>
          {isGiven ? <Icon name="check" size={16} /> : <Icon name="close" size={16} />}
          <span>{elementInWords(kind, name, label)}</span>{' '}
          {isGiven ? <span className="sr-only">is there</span> : <Badge>Missing</Badge>}
        </li>
      ))}
    </ul>
  )
}
