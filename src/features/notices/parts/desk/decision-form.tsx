import { useEffect, useRef, type ComponentProps, useId } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import { Form } from '../../../../ui/form/form.tsx'
import type { FormState } from '../../../../ui/form/use-form.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { TextField, FieldErrorText } from '../../../../ui/text-field.tsx'
import { AnswerArea } from '../../../office/answers/parts/answer-area.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import type { NoticeForDesk, DecisionPreview } from '../../desk/desk-schema.ts'
import { grounds } from '../../notice/notice-kinds.ts'
import type { CaseOnDesk } from './case-calls.ts'
import { type DecisionKind, type DecisionValues, emptyDecision, outcomesOf } from './decision-values.ts'
import {
  groundLabel,
  groundSentence,
  outcomeInWords,
  outcomeLabels,
  sendInWords,
  becomesInWords,
} from './desk-words.ts'
import { Meanwhile } from './meanwhile.tsx'
import { type DecisionFormState, useDecisionForm } from './use-decision-form.ts'
import { Link } from 'react-router'
import { Badge } from '../../../../ui/badge.tsx'

/**
 * A decision about a notice with its reasons, and its preview. The answer to an appeal uses it too.
 * @param lead what this decision is, in a sentence
 * @param onLeave closes a form that need not be filled in; undefined where it stands open
 */
export function DecisionForm({
  kind,
  desk,
  isNext = true,
  lead,
  onDone,
  onWriting,
  onLeave,
}: {
  kind: DecisionKind
  desk: CaseOnDesk
  /** Whether its button is the filled one of the page. */
  isNext?: boolean
  lead: string
  onDone: (decided: NoticeForDesk) => void
  onWriting: (isWriting: boolean) => void
  onLeave?: (() => void) | undefined
}) {
  const { notice } = desk
  const state = useDecisionForm(kind, desk, onDone, onWriting)
  const { form, preview, isAsking, setIsAsking } = state
  const word = sendInWords(kind, form.values, notice)
  const isGrave = form.values.outcome === 'remove'
  const isAppeal = kind === 'appeal'
  return (
    <>
      <Form
        form={form}
        act={{
          label: isAppeal ? word.label : 'Preview',
          labelWhileSending: isAppeal ? word.label : 'Loading...',
          isQuiet: preview !== undefined || !isNext,
        }}
        className="desk-form"
        steps="desk-actions"
        notes={
          <>
            <Overtaken notice={notice} {...state} />
            {form.faults < 2 ? null : (
              <Notice tone="failed">{`Please correct ${counted(form.faults, 'field')}.`}</Notice>
            )}
          </>
        }
        before={
          preview === undefined ? null : (
            <button
              type="button"
              className={isGrave ? 'button button-solid accent-banned' : 'button button-solid'}
              aria-haspopup="dialog"
              aria-disabled={form.isSending}
              onClick={() => setIsAsking(true)}
            >
              {word.label}
            </button>
          )
        }
        after={
          form.isDirty || onLeave !== undefined ? (
            <Button
              look="quiet"
              label="Discard"
              onClick={() => {
                form.reset(emptyDecision)
                onLeave?.()
              }}
            />
          ) : null
        }
      >
        <p className="work-aside">{lead}</p>
        {form.isRestored ? (
          <Notice tone="calm">
            <p>You typed this earlier and have not sent it.</p>
          </Notice>
        ) : null}
        <DecisionFields kind={kind} notice={notice} form={form} />
        {preview === undefined ? null : <DecisionPreviewed preview={preview} />}
      </Form>
      {isAsking ? (
        <ConfirmDialog
          title={word.title}
          label={word.label}
          labelWhileSending="Sending..."
          isGrave={isGrave}
          otherwise="The decision could not be sent."
          act={state.decide}
          onClose={() => setIsAsking(false)}
        >
          <p>{word.sentence}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

function DecisionFields({
  kind,
  notice,
  form,
}: {
  kind: DecisionKind
  notice: NoticeForDesk
  form: FormState<DecisionValues>
}) {
  const { outcome, ground } = form.values
  return (
    <>
      <ChoiceField
        {...form.field('outcome')}
        legend={kind === 'decision' ? 'What becomes of the entries' : 'Your answer'}
        value={outcome}
        choices={outcomesOf[kind].map((value) => ({
          value,
          label: outcomeLabels[value],
          sentence: outcomeInWords(value, notice.decisions.at(-1)?.outcome),
        }))}
      />
      <ChoiceField
        {...form.field('ground')}
        legend="Ground"
        value={ground}
        choices={grounds.map((value) => ({
          value,
          label: groundLabel(value, outcome),
          sentence: groundSentence(value, notice.kind, outcome),
        }))}
      />
      <TextField
        {...form.field('legalGround')}
        label={ground === 'terms' ? 'The term' : 'The law'}
        help={
          ground === 'terms'
            ? 'Which of the terms, such as “Terms of Service, what may be published”.'
            : 'Which provision, such as “17 U.S.C. § 512(c)(3)” or “Article 17 GDPR”.'
        }
      />
      <AnswerArea
        form={form}
        name="facts"
        label="Facts"
        help="What was reported and what you found. It stands in the statement of reasons."
      />
      <AnswerArea
        form={form}
        name="explanation"
        label="Explanation"
        help="Why the facts lead to this decision, for the people concerned."
      />
    </>
  )
}

function Overtaken({
  notice,
  happened,
  overtaken,
  goOn,
}: Pick<DecisionFormState, 'happened' | 'overtaken' | 'goOn'> & { notice: NoticeForDesk }) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (overtaken > 0) panel.current?.focus()
  }, [overtaken])
  if (happened === undefined) return null
  return (
    <div ref={panel} className="notice notice-told notice-calm desk-overtaken" tabIndex={-1}>
      <div className="notice-words">
        <h3>This notice changed while you were writing</h3>
        <Meanwhile status={notice.status} happened={happened} />
        <p>
          <Button label="Continue from here" onClick={goOn} />
        </p>
      </div>
    </div>
  )
}

/** One of a few, each with a sentence on what it means. */
function ChoiceField({
  legend,
  value,
  choices,
  problem,
  ...input
}: Omit<ComponentProps<'input'>, 'id' | 'type'> & {
  name: string
  legend: string
  value: string
  choices: readonly { value: string; label: string; sentence: string }[]
  /** The field's error, read out when it appears. */
  problem?: string | undefined
}) {
  const id = useId()
  return (
    <fieldset
      className="desk-choices"
      role="radiogroup"
      aria-invalid={problem !== undefined}
      {...(problem === undefined ? {} : { 'aria-describedby': `${id}problem` })}
    >
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={choice.value === value ? 'desk-choice is-chosen' : 'desk-choice'}>
          <input
            {...input}
            type="radio"
            value={choice.value}
            aria-labelledby={`${id}${choice.value}`}
            aria-describedby={`${id}${choice.value}words`}
          />
          <span id={`${id}${choice.value}`}>{choice.label}</span>
          <span id={`${id}${choice.value}words`} className="desk-choice-words">
            {choice.sentence}
          </span>
        </label>
      ))}
      <FieldErrorText id={`${id}problem`} problem={problem} />
    </fieldset>
  )
}

export function DecisionPreviewed({ preview: { emails, items } }: { preview: DecisionPreview }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="desk-preview" aria-labelledby="decision-preview">
      <h3 id="decision-preview" ref={heading} tabIndex={-1}>
        Before you send it
      </h3>
      <p className="work-aside">Nothing has been sent or changed yet.</p>
      <h4>What becomes of the entries</h4>
      {items.length === 0 ? (
        <p>This notice names no entry on this site, so nothing changes.</p>
      ) : (
        <ul className="desk-list">
          {items.map(({ id, name, path, becomes }) => (
            <li key={id}>
              <Link className="work-link" to={path} target="_blank">
                <bdi>{name}</bdi>
                <span className="sr-only"> (opens in a new tab)</span>
              </Link>{' '}
              <Badge>{becomesInWords(becomes)}</Badge>
            </li>
          ))}
        </ul>
      )}
      <h4>What is emailed</h4>
      {emails.length === 0 ? <p>Nobody is emailed, because we know no address of anybody concerned.</p> : null}
      {emails.map(({ to, subject, text }) => (
        <figure key={to} className="desk-mail">
          <figcaption>
            <span>
              To <bdi>{to}</bdi>
            </span>
            <span className="desk-mail-subject" dir="auto">
              {subject}
            </span>
          </figcaption>
          <p className="desk-words" dir="auto">
            {text}
          </p>
        </figure>
      ))}
    </section>
  )
}
