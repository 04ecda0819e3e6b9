import { useState, type RefObject, useEffect, useRef } from 'react'
import { Button, TextLink } from '../../../ui/button.tsx'
import { type ApiError, request } from '../../../browser/api-client.ts'
import { timeInWords, dayInWords } from '../../../browser/format-instant.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { recheckAccess, useAdminQuery } from '../../office/browser/admin-query.ts'
import { InquiryForAdmin, maxReply } from '../support/inquiry-schema.ts'
import { inquiriesPath, searchOfInquiries } from './request-paths.ts'
import { UserText } from '../../office/parts/user-text.tsx'
import * as z from 'zod/mini'
import { ActDialog } from '../../../ui/act-dialog.tsx'
import { useApiForm } from '../../office/browser/api-form.ts'
import { AnswerArea } from '../../office/answers/parts/answer-area.tsx'
import { writtenText } from '../../office/browser/form-rules.ts'
import { Moment } from '../../../browser/moment.tsx'
import { personPath } from '../../accounts/people/person-page.ts'
import { AccessOfMember } from '../../membership/vips/vip-schema.ts'

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

const Answer = z.object({
  message: writtenText(
    'Write an answer.',
    maxReply,
    `An answer has at most ${maxReply.toLocaleString('en-US')} characters.`,
  ),
})

/** The answer. Its text stays after a refusal, also when the inquiry has changed meanwhile. */
function ReplyDialog({
  inquiry: { id, name, email, version, account, hasOtherEmail },
  onReplied,
  onOvertaken,
  onClose,
}: {
  inquiry: InquiryForAdmin
  onReplied: (changed: InquiryForAdmin) => void
  onOvertaken: () => void
  onClose: () => void
}) {
  const form = useApiForm({
    defaults: { message: '' },
    schema: Answer,
    async send({ message }) {
      const body = { message, version }
      onReplied(await request(`${inquiriesPath}/${id}/reply`, InquiryForAdmin, { method: 'POST', body }))
    },
    otherwise: 'The answer could not be sent.',
    onRefused({ status }) {
      if (status === 409) onOvertaken()
    },
  })
  return (
    <ActDialog
      title={`Reply to ${name}`}
      lead={
        <>
          <p>{`Your answer is emailed to ${email} and kept here.`}</p>
          {account !== null && hasOtherEmail ? (
            <p>{`That is the address they typed, and it may be somebody else's. The address of their account is ${account.email}.`}</p>
          ) : null}
        </>
      }
      form={form}
      label="Send reply"
      labelWhileSending="Sending..."
      onClose={onClose}
    >
      <AnswerArea form={form} name="message" label="Answer" />
    </ActDialog>
  )
}

/** The member who sent an inquiry: access, payments and when they were here, asked for once the inquiry is in sight. */
function MemberBeside({ account, now }: { account: NonNullable<InquiryForAdmin['account']>; now: number }) {
  const { id, createdAt, lastSeenAt } = account
  const root = useRef<HTMLDivElement>(null)
  const isEnabled = useIsSeen(root)
  const { data, error } = useAdminQuery(`${personPath(id)}/access`, AccessOfMember, { isEnabled })
  return (
    <div ref={root} className="inquiry-member" role="group" aria-label={`About ${account.name}`}>
      <dl>
        <div>
          <dt>Access</dt>
          <dd>{data?.sentence ?? (error === undefined ? 'Loading…' : error.message)}</dd>
        </div>
        <div>
          <dt>Payments</dt>
          <dd>{data === undefined ? '—' : paymentsInWords(data)}</dd>
        </div>
        {lastSeenAt === null ? null : (
          <div>
            <dt>Last seen</dt>
            <dd>
              <Moment at={lastSeenAt} now={now} />
            </dd>
          </div>
        )}
        <div>
          <dt>Member since</dt>
          <dd>{dayInWords(createdAt)}</dd>
        </div>
      </dl>
      <p>
        <TextLink to={`/admin/billing/${id}`}>
          Billing<span className="sr-only">{` of ${account.name}`}</span>
        </TextLink>
      </p>
    </div>
  )
}

function paymentsInWords({ hasPaid, hasPayments, hasSubscription }: AccessOfMember): string {
  const paid = hasPaid ? 'Has paid' : hasPayments ? 'Refunded or failed' : 'None'
  return hasSubscription ? `${paid}, with a subscription` : paid
}

/** Whether an element was in sight: a list of fifty does not ask for all of its members at once. */
function useIsSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    if (isSeen || element.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isSeen])
  return isSeen
}
