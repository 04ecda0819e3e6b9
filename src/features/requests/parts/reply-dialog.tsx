import * as z from 'zod/mini'
import { request } from '../../../browser/api-client.ts'
import { ActDialog } from '../../../ui/act-dialog.tsx'
import { useApiForm } from '../../office/browser/api-form.ts'
import { AnswerArea } from '../../office/answers/parts/answer-area.tsx'
import { writtenText } from '../../office/browser/form-rules.ts'
import { InquiryForAdmin, maxReply } from '../support/inquiry-schema.ts'
import { inquiriesPath } from './request-paths.ts'

const Answer = z.object({
  message: writtenText(
    'Write an answer.',
    maxReply,
    `An answer has at most ${maxReply.toLocaleString('en-US')} characters.`,
  ),
})

/** The answer. Its text stays after a refusal, also when the inquiry has changed meanwhile. */
export function ReplyDialog({
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
