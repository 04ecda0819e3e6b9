import { useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { AnswerArea } from '../../../office/answers/parts/answer-area.tsx'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { DecidedNotices, type NoticeInQueue } from '../../desk/desk-schema.ts'
import { grounds, openStatuses, outcomes } from '../../notice/notice-kinds.ts'
import { decisionRules, emptyDecision } from './decision-values.ts'
import { decideManyInWords, type DoneToMany, groundLabel, outcomeInWords, outcomeLabels } from './desk-words.ts'
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
  onDone: (done: DoneToMany) => void
  onClose: () => void
}) {
  const [sent, setSent] = useState(0)
  const form = useApiForm({
    defaults: emptyDecision,
    schema: decisionRules.decision,
    async send(decision) {
      const results: DecidedNotices['results'] = []
      for (let from = 0; from < notices.length; from += atOnce) {
        setSent(from)
        const part = notices.slice(from, from + atOnce).map(({ reference, version }) => ({ reference, version }))
        const body = { notices: part, ...decision }
        const answer = await request(`${noticesPath}/decisions`, DecidedNotices, { method: 'POST', body })
        results.push(...answer.results)
      }
      onDone({ verb: 'decided', results })
    },
    otherwise: 'The notices could not be decided.',
  })
  const { outcome } = form.values
  const decidedBefore = notices.filter(({ status }) => !openStatuses.includes(status)).length
  return (
    <ActDialog
      title={decideManyInWords('', notices.length)}
      form={form}
      label={decideManyInWords(outcome, notices.length)}
      labelWhileSending={sent === 0 ? 'Deciding...' : `Decided ${sent} of ${notices.length}...`}
      isGrave={outcome === 'remove'}
      onClose={onClose}
    >
      <p>
        Each notice gets its own decision and its own statement of reasons. You cannot edit a decision afterwards, but a
        new one can replace it.
      </p>
      {decidedBefore === 0 ? null : (
        <p>{`${decidedBefore.toLocaleString('en-US')} of them ${decidedBefore === 1 ? 'is' : 'are'} decided already: this decision replaces the one in force.`}</p>
      )}
      <SelectField
        {...form.field('outcome')}
        label="What becomes of the entries"
        help={isOutcome(outcome) ? outcomeInWords(outcome, undefined) : undefined}
        options={[{ value: '', label: 'Choose' }, ...outcomes.map((value) => ({ value, label: outcomeLabels[value] }))]}
      />
      <SelectField
        {...form.field('ground')}
        label="Ground"
        help="What you checked the entries against."
        options={[
          { value: '', label: 'Choose' },
          ...grounds.map((value) => ({ value, label: groundLabel(value, outcome) })),
        ]}
      />
      <TextField {...form.field('legalGround')} label="The law or the term" autoComplete="off" />
      <AnswerArea
        form={form}
        name="facts"
        label="Facts"
        help="What was reported and what you found. It stands in every statement of reasons."
      />
      <AnswerArea
        form={form}
        name="explanation"
        label="Explanation"
        help="Why the facts lead to this decision, for the people concerned."
      />
    </ActDialog>
  )
}

function isOutcome(value: string): value is (typeof outcomes)[number] {
  return outcomes.some((one) => one === value)
}
