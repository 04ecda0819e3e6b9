import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { ApiError, request } from '../../../../browser/api-client.ts'
import { refetchAnswersUnder } from '../../../../browser/queries.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextArea, TextField } from '../../../../ui/text-field.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { DialogForm } from '../../../office/parts/dialog-form.tsx'
import {
  networkRefusal,
  type Refusal,
  refusalIn,
  type Submission,
  textOf,
  useSubmission,
} from '../../../office/parts/use-submission.ts'
import { AttachedTo, maxDecisionText, type UnattachedCounterNotice } from '../../desk/desk-schema.ts'
import { readReference } from '../../notice/reference.ts'
import { noticesPath, unattachedPath } from './notice-paths.ts'

/** A dialog about a counter-notice without a notice. After a conflict the list behind it is fetched again. */
function UnattachedDialog({
  title,
  label,
  labelWhileSending,
  check,
  act,
  onClose,
  children,
}: {
  title: string
  label: string
  labelWhileSending: string
  check: (values: FormData) => Refusal | undefined
  act: (values: FormData) => Promise<void>
  onClose: () => void
  children: (submission: Submission) => ReactNode
}) {
  const [isDirty, setIsDirty] = useState(false)
  const submission = useSubmission({
    check,
    async send(values) {
      try {
        await act(values)
        return undefined
      } catch (error) {
        if (error instanceof ApiError) {
          recheckAccess(error)
          if (error.status === 404 || error.status === 409) refetchAnswersUnder(noticesPath)
        }
        return refusalIn(error, 'That could not be done.')
      }
    },
    unreachable: networkRefusal,
  })
  return (
    <Dialog title={title} isBusy={submission.isSending} isDirty={isDirty} onClose={onClose}>
      <div className="dialog-part" onInput={() => setIsDirty(true)}>
        <DialogForm
          submission={submission}
          label={label}
          labelWhileSending={labelWhileSending}
          done={undefined}
          onCancel={onClose}
        >
          {children(submission)}
        </DialogForm>
      </div>
    </Dialog>
  )
}

/** It answers a notice whose reference was typed wrong, or that took no more by itself. */
export function AttachToDialog({
  counterNotice: { id },
  onDone,
  onClose,
}: {
  counterNotice: UnattachedCounterNotice
  onDone: (reference: string) => void
  onClose: () => void
}) {
  return (
    <UnattachedDialog
      title="Attach to a notice"
      label="Attach"
      labelWhileSending="Attaching..."
      check={(values) =>
        readReference(textOf(values, 'reference')) === undefined
          ? { message: 'Write the reference of the notice, such as N-4GT7-0KQ2.', field: 'reference' }
          : undefined
      }
      act={async (values) => {
        const { reference } = await request(unattachedPath(id, 'attach'), AttachedTo, {
          method: 'POST',
          body: { reference: textOf(values, 'reference').trim() },
        })
        onDone(reference)
      }}
      onClose={onClose}
    >
      {(submission) => (
        <>
          <p>
            It is then treated as if it had come with that notice. The deadlines count from when it arrived, so the
            first one may have passed already.
          </p>
          <TextField
            name="reference"
            label="Reference of the notice"
            help="A decided copyright notice that keeps something off the site, such as N-4GT7-0KQ2."
            autoComplete="off"
            spellCheck={false}
            problem={submission.errorOf('reference')}
          />
        </>
      )}
    </UnattachedDialog>
  )
}

/** It answers no notice, and whoever sent it reads why nothing comes of it. */
export function RefuseUnattachedDialog({
  counterNotice: { id, email, isAnswered },
  onDone,
  onClose,
}: {
  counterNotice: UnattachedCounterNotice
  onDone: () => void
  onClose: () => void
}) {
  return (
    <UnattachedDialog
      title="Refuse this counter-notice"
      label="Refuse"
      labelWhileSending="Refusing..."
      check={(values) => {
        const reasons = textOf(values, 'reasons').trim()
        if (reasons === '') return { message: 'Write why you refuse it.', field: 'reasons' }
        return [...reasons].length > maxDecisionText
          ? {
              message: `Shorten this to ${maxDecisionText.toLocaleString('en-US')} characters or fewer.`,
              field: 'reasons',
            }
          : undefined
      }}
      act={async (values) => {
        await request(unattachedPath(id, 'refuse'), z.undefined(), {
          method: 'POST',
          body: { reasons: textOf(values, 'reasons').trim() },
        })
        onDone()
      }}
      onClose={onClose}
    >
      {(submission) => (
        <>
          <p>
            {isAnswered
              ? `Nothing is forwarded or restored. We email your reasons to ${email}.`
              : `Nothing is forwarded or restored. The address ${email} was entered too often, so we do not email it.`}
          </p>
          <TextArea
            name="reasons"
            label="Reasons"
            help="For example: the reference is of no removal, or they did not publish the entry."
            dir="auto"
            problem={submission.errorOf('reasons')}
          />
        </>
      )}
    </UnattachedDialog>
  )
}
