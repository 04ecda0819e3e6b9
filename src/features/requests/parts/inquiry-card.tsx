import { useState } from 'react'
import { type ApiError, NetworkError, request } from '../../../browser/api-client.ts'
import { timeInWords } from '../../../browser/format-instant.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { TextArea } from '../../../ui/text-field.tsx'
import { recheckAccess } from '../../accounts/browser/admin-query.ts'
import { DialogForm } from '../../accounts/parts/dialog-form.tsx'
import { networkRefusal, refusalIn, textOf, useSubmission } from '../../accounts/parts/use-submission.ts'
import { InquiryForAdmin, maxReply } from '../support/inquiry-schema.ts'
import { inquiriesPath } from './request-paths.ts'

const stateWords = { open: 'Open', answered: 'Answered', closed: 'Closed' } as const

/** An inquiry, what was answered, and what can be done. */
export function InquiryCard({
  inquiry,
  onChanged,
  onOvertaken,
}: {
  inquiry: InquiryForAdmin
  onChanged: (changed: InquiryForAdmin) => void
  /** Somebody else was first. */
  onOvertaken: () => void
}) {
  const { id, name, email, message, isVip, state, version, createdAt, replies } = inquiry
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
  return (
    <article className="inquiry" aria-labelledby={`inquiry-${id}`}>
      <h2 id={`inquiry-${id}`}>
        <bdi>{name}</bdi> {isVip ? <Badge icon="crown">VIP</Badge> : null} <Badge>{stateWords[state]}</Badge>
      </h2>
      <p className="work-aside">
        <a className="text-link" href={`mailto:${encodeURIComponent(email)}`}>
          {email}
        </a>
        {`, ${timeInWords(createdAt)}`}
      </p>
      <p className="inquiry-words" dir="auto">
        {message}
      </p>
      {replies.length === 0 ? null : (
        <ul className="inquiry-replies" aria-label="Answers">
          {replies.map(({ message: answer, writtenAt }) => (
            <li key={writtenAt + answer}>
              <p className="work-aside">{`Answered ${timeInWords(writtenAt)}`}</p>
              <p className="inquiry-words" dir="auto">
                {answer}
              </p>
            </li>
          ))}
        </ul>
      )}
      <Announced>{change.error === null ? null : <Notice tone="failed">{change.error.message}</Notice>}</Announced>
      <div className="inquiry-actions">
        <button type="button" className="button" onClick={() => setIsReplying(true)}>
          Reply<span className="sr-only">{` to ${name}`}</span>
        </button>
        <button
          type="button"
          className="button"
          aria-disabled={change.isPending}
          onClick={() => {
            if (!change.isPending) change.mutate()
          }}
        >
          {verb === 'close' ? 'Close' : 'Reopen'}
          <span className="sr-only">{` the inquiry of ${name}`}</span>
        </button>
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

/** The answer. What was typed stays when it was refused, also when the inquiry has changed meanwhile. */
function ReplyDialog({
  inquiry: { id, name, email, version },
  onReplied,
  onOvertaken,
  onClose,
}: {
  inquiry: InquiryForAdmin
  onReplied: (changed: InquiryForAdmin) => void
  onOvertaken: () => void
  onClose: () => void
}) {
  const [isDirty, setIsDirty] = useState(false)
  const submission = useSubmission({
    check: (values) =>
      textOf(values, 'message').trim() === '' ? { message: 'Write an answer.', field: 'message' } : undefined,
    async send(values) {
      try {
        const body = { message: textOf(values, 'message'), version }
        onReplied(await request(`${inquiriesPath}/${id}/reply`, InquiryForAdmin, { method: 'POST', body }))
        return undefined
      } catch (error) {
        const refusal = refusalIn(error, 'The answer could not be sent.')
        if (!(error instanceof NetworkError)) {
          recheckAccess(error as ApiError)
          if ((error as ApiError).status === 409) onOvertaken()
        }
        return refusal
      }
    },
    unreachable: networkRefusal,
  })
  return (
    <Dialog title={`Reply to ${name}`} isBusy={submission.isSending} isDirty={isDirty} onClose={onClose}>
      <p>{`Your answer is mailed to ${email} and kept here.`}</p>
      <DialogForm
        submission={submission}
        label="Send reply"
        labelWhileSending="Sending..."
        done={undefined}
        onInput={() => setIsDirty(true)}
        onCancel={onClose}
      >
        <TextArea
          label="Answer"
          name="message"
          dir="auto"

          maxLength={maxReply}
          problem={submission.errorOf('message')}
        />
      </DialogForm>
    </Dialog>
  )
}
