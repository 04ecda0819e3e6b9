import { useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { TextArea, TextField } from '../../../../ui/text-field.tsx'
import { DialogForm } from '../../../office/parts/dialog-form.tsx'
import { networkRefusal, refusalIn, textOf, useSubmission } from '../../../office/parts/use-submission.ts'
import { DecidedNotices, type NoticeInQueue } from '../../desk/desk-schema.ts'
import { grounds, openStatuses, outcomes } from '../../notice/notice-kinds.ts'
import { decisionFields, type DecisionValues, problemsOf } from './decision-values.ts'
import { decideManyInWords, groundLabels, outcomeInWords, outcomeLabels } from './desk-words.ts'
import { noticesPath } from './notice-paths.ts'

/** Notices of one call: each call is answered soon, and an interrupted one is repeated. */
const atOnce = 20

/** One decision about several notices: the same reasons for all, a decision and a statement for each. */
export function DecideDialog({
  notices,
  onDone,
  onClose,
}: {
  notices: readonly Pick<NoticeInQueue, 'reference' | 'version' | 'status'>[]
  onDone: (decided: DecidedNotices) => void
  onClose: () => void
}) {
  const [isDirty, setIsDirty] = useState(false)
  const [outcome, setOutcome] = useState('')
  const [sent, setSent] = useState(0)
  const submission = useSubmission({
    check(form) {
      const problems = problemsOf(valuesOf(form), 'decision')
      const field = decisionFields.find((name) => problems[name] !== undefined)
      return field === undefined ? undefined : { message: problems[field] ?? '', field }
    },
    async send(form) {
      const results: DecidedNotices['results'] = []
      try {
        for (let from = 0; from < notices.length; from += atOnce) {
          setSent(from)
          const part = notices.slice(from, from + atOnce).map(({ reference, version }) => ({ reference, version }))
          const body = { notices: part, ...valuesOf(form) }
          const answer = await request(`${noticesPath}/decisions`, DecidedNotices, { method: 'POST', body })
          results.push(...answer.results)
        }
        onDone({ results })
        return undefined
      } catch (error) {
        return refusalIn(error, 'The notices could not be decided.')
      }
    },
    unreachable: networkRefusal,
  })
  const label = decideManyInWords(outcome, notices.length)
  const decidedBefore = notices.filter(({ status }) => !openStatuses.includes(status)).length
  return (
    <Dialog
      title={decideManyInWords('', notices.length)}
      isBusy={submission.isSending}
      isDirty={isDirty}
      onClose={onClose}
    >
      <div
        className="dialog-part"
        onInput={({ target }) => {
          setIsDirty(true)
          if (target instanceof HTMLSelectElement && target.name === 'outcome') setOutcome(target.value)
        }}
      >
        <DialogForm
          submission={submission}
          label={label}
          labelWhileSending={sent === 0 ? 'Deciding...' : `Decided ${sent} of ${notices.length}...`}
          isGrave={outcome === 'remove'}
          done={undefined}
          onCancel={onClose}
        >
          <p>
            Each notice gets its own decision and its own statement of reasons. You cannot edit a decision afterwards,
            but a new one can replace it.
          </p>
          {decidedBefore === 0 ? null : (
            <p>{`${decidedBefore.toLocaleString('en-US')} of them ${decidedBefore === 1 ? 'is' : 'are'} decided already: this decision takes the place of the one in force.`}</p>
          )}
          <SelectField
            name="outcome"
            label="What becomes of the entries"
            help={isOutcome(outcome) ? outcomeInWords(outcome, undefined) : undefined}
            defaultValue=""
            options={[
              { value: '', label: 'Choose' },
              ...outcomes.map((value) => ({ value, label: outcomeLabels[value] })),
            ]}
            problem={submission.errorOf('outcome')}
          />
          <Reasons errorOf={submission.errorOf} />
        </DialogForm>
      </div>
    </Dialog>
  )
}

function Reasons({ errorOf }: { errorOf: (field: string) => string | undefined }) {
  return (
    <>
      <SelectField
        name="ground"
        label="Ground"
        help="What you checked the entries against."
        defaultValue=""
        options={[{ value: '', label: 'Choose' }, ...grounds.map((value) => ({ value, label: groundLabels[value] }))]}
        problem={errorOf('ground')}
      />
      <TextField name="legalGround" label="The law or the term" autoComplete="off" problem={errorOf('legalGround')} />
      <TextArea
        name="facts"
        label="Facts"
        help="What was reported and what you found. It stands in every statement of reasons."
        dir="auto"
        problem={errorOf('facts')}
      />
      <TextArea
        name="explanation"
        label="Explanation"
        help="Why the facts lead to this decision, for the people who are concerned."
        dir="auto"
        problem={errorOf('explanation')}
      />
    </>
  )
}

function valuesOf(form: FormData): DecisionValues {
  return {
    outcome: textOf(form, 'outcome'),
    ground: textOf(form, 'ground'),
    legalGround: textOf(form, 'legalGround').trim(),
    facts: textOf(form, 'facts').trim(),
    explanation: textOf(form, 'explanation').trim(),
  }
}

function isOutcome(value: string): value is (typeof outcomes)[number] {
  return outcomes.some((one) => one === value)
}
