import { useState } from 'react'
import { Button, TextLink } from '../../../ui/button.tsx'
import { type ApiError, request } from '../../../browser/api-client.ts'
import { timeInWords } from '../../../browser/format-instant.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { recheckAccess } from '../../office/browser/admin-query.ts'
import { InquiryForAdmin } from '../support/inquiry-schema.ts'
import { inquiriesPath, searchOfInquiries } from './request-paths.ts'
import { UserText } from '../../office/parts/user-text.tsx'
import { MemberBeside } from './member-beside.tsx'
import { ReplyDialog } from './reply-dialog.tsx'

const stateWords = { open: 'Open', answered: 'Answered', closed: 'Closed' } as const

export function InquiryCard({
  inquiry,
  now,
  isChosen,
  onChosen,
  onChanged,
  onOvertaken,
}: {
  inquiry: InquiryForAdmin
  /** When the answer came, in milliseconds since 1970. */
  now: number
  isChosen: boolean
  /** Picked, or no longer, to be closed with others. */
  onChosen: (isChosen: boolean) => void
  onChanged: (changed: InquiryForAdmin) => void
  /** Somebody else was first. */
  onOvertaken: () => void
}) {
  const { id, name, email, message, account, state, version, replies } = inquiry
  const [isReplying, setIsReplying] = useState(false)
  const verb = state === 'closed' ? 'reopen' : 'close'
  const change = useApiMutation({
    mutationFn: () => request(`${inquiriesPath}/${id}/${verb}`, InquiryForAdmin, { method: 'POST', body: { version } }),
    onSuccess: onChanged,
    onError: (error: ApiError) => {
      recheckAccess(error)
      if (error.status === 409) onOvertaken()
    },
  })
  const toggle = (): void => {
    if (!change.isPending) change.mutate()
  }
  const reply = (
    <Button label="Reply" about={` to ${name}`} aria-haspopup="dialog" onClick={() => setIsReplying(true)} />
  )
  const act = <Button label="Reopen" about={` the inquiry of ${name}`} isBusy={change.isPending} onClick={toggle} />
  return (
    <article className="inquiry" aria-labelledby={`inquiry-${id}`}>
      <Head inquiry={inquiry} isChosen={isChosen} onChosen={onChosen} />
      <div className="inquiry-body">
        <div className="inquiry-text">
          <Sender inquiry={inquiry} />
          <p className="inquiry-words" dir="auto">
            {message}
          </p>
          <Replies replies={replies} />
        </div>
        {account === null ? null : <MemberBeside account={account} now={now} />}
      </div>
      <Announced>{change.error === null ? null : <Notice tone="failed">{change.error.message}</Notice>}</Announced>
      <div className="button-row">
        {state === 'closed' ? act : reply}
        <RowMenu
          about={` for the inquiry of ${name}`}
          items={[
            state === 'closed'
              ? { label: 'Reply', onSelect: () => setIsReplying(true) }
              : { label: 'Close', onSelect: toggle },
            { label: 'Show all from this address', to: `?${searchOfInquiries({ state, email })}` },
          ]}
        />
      </div>
      {isReplying ? (
        <ReplyDialog
          inquiry={inquiry}
          onOvertaken={onOvertaken}
          onReplied={(changed) => {
            setIsReplying(false)
            onChanged(changed)
          }}
          onClose={() => setIsReplying(false)}
        />
      ) : null}
    </article>
  )
}

function Head({
  inquiry: { id, name, isVip, state },
  isChosen,
  onChosen,
}: {
  inquiry: InquiryForAdmin
  isChosen: boolean
  onChosen: (isChosen: boolean) => void
}) {
  return (
    <div className="inquiry-head">
      {state === 'closed' ? null : (
        <Checkbox
          name="chosen"
          label={<span className="sr-only">{`Select the inquiry of ${name}`}</span>}
          checked={isChosen}
          onChange={({ currentTarget }) => onChosen(currentTarget.checked)}
        />
      )}
      <h2 id={`inquiry-${id}`}>
        <UserText>{name}</UserText>
      </h2>
      {isVip ? (
        <span className="accent-vip">
          <Badge icon="crown">VIP</Badge>
        </span>
      ) : null}
      <Badge>{stateWords[state]}</Badge>
    </div>
  )
}

function Sender({ inquiry: { account, email, createdAt, hasOtherEmail } }: { inquiry: InquiryForAdmin }) {
  return (
    <>
      {account === null ? (
        <p className="work-aside">
          <MailLink email={email} />
          {`, sent without signing in, ${timeInWords(createdAt)}`}
        </p>
      ) : (
        <p className="work-aside">
          {'Account: '}
          <TextLink to={`/admin/people/${account.id}`}>
            <UserText>{account.name}</UserText>
          </TextLink>
          {', '}
          <MailLink email={account.email} />
          {`, ${timeInWords(createdAt)}`}
        </p>
      )}
      {hasOtherEmail ? (
        <p className="inquiry-other">
          {'They typed another address: '}
          <MailLink email={email} />
        </p>
      ) : null}
    </>
  )
}

function Replies({ replies }: Pick<InquiryForAdmin, 'replies'>) {
  return replies.length === 0 ? null : (
    <ul className="inquiry-replies" aria-label="Answers">
      {replies.map(({ message, writtenAt }) => (
        <li key={writtenAt + message}>
          <p className="work-aside">{`Answered ${timeInWords(writtenAt)}`}</p>
          <p className="inquiry-words" dir="auto">
            {message}
          </p>
        </li>
      ))}
    </ul>
  )
}

function MailLink({ email }: { email: string }) {
  return (
    <a className="text-link" href={`mailto:${encodeURIComponent(email)}`}>
      <UserText>{email}</UserText>
    </a>
  )
}
