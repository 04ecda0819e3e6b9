import { useEffect, useRef, useState } from 'react'
import { counted } from '../../../../platform/counted.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { TextArea, TextField } from '../../../../ui/text-field.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { grounds } from '../../notice/notice-kinds.ts'
import type { CaseOnDesk } from './case-calls.ts'
import { ChoiceField } from './choice-field.tsx'
import { type DecisionKind, decisionFields, outcomesOf } from './decision-values.ts'
import { DecisionPreviewed } from './decision-previewed.tsx'
import { groundLabels, groundSentence, outcomeInWords, outcomeLabels, sendInWords } from './desk-words.ts'
import { Meanwhile } from './meanwhile.tsx'
import { useDecisionForm } from './use-decision-form.ts'

/**
 * A decision about a notice with its reasons, and its preview. The answer to an appeal uses it too.
 * @param lead what this decision is, in a sentence
 * @param onLeave closes a form that need not be filled in; undefined where it stands open
 */
export function DecisionForm({
  kind,
  desk,
  lead,
  onDone,
  onWriting,
  onLeave,
}: {
  kind: DecisionKind
  desk: CaseOnDesk
  lead: string
  onDone: (decided: NoticeForDesk) => void
  onWriting: (isWriting: boolean) => void
  onLeave?: (() => void) | undefined
}) {
  const { notice } = desk
  const form = useDecisionForm(kind, desk, onDone, onWriting)
  const { values, problems, preview, happened } = form
  const [isAsking, setIsAsking] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const panel = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (form.refusals === 0) return
    const faulty = element.current?.querySelector<HTMLElement>(
      ':is(input, textarea)[aria-invalid="true"], [role="radiogroup"][aria-invalid="true"] input',
    )
    const target = panel.current ?? faulty
    target?.focus()
  }, [form.refusals])

  const word = sendInWords(kind, values, notice)
  const isGrave = values.outcome === 'remove'
  const ask = (): void => {
    if (!form.isSending && form.check()) setIsAsking(true)
  }
  return (
    <form
      ref={element}
      className="desk-form"
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (kind === 'decision') form.askForPreview()
        else ask()
      }}
    >
      <p className="work-aside">{lead}</p>
      {form.isRestored ? (
        <Notice tone="calm">
          <p>You typed this earlier and have not sent it.</p>
        </Notice>
      ) : null}
      <ChoiceField
        name="outcome"
        legend={kind === 'decision' ? 'What becomes of the entries' : 'Your answer'}
        value={values.outcome}
        choices={outcomesOf[kind].map((value) => ({
          value,
          label: outcomeLabels[value],
          sentence: outcomeInWords(value, notice.decisions.at(-1)?.outcome),
        }))}
        problem={problems.outcome}
        onChange={(value) => form.set('outcome', value)}
      />
      <ChoiceField
        name="ground"
        legend="Ground"
        value={values.ground}
        choices={grounds.map((value) => ({
          value,
          label: groundLabels[value],
          sentence: groundSentence(value, notice.kind),
        }))}
        problem={problems.ground}
        onChange={(value) => form.set('ground', value)}
      />
      <TextField
        name="legalGround"
        label={values.ground === 'terms' ? 'The term' : 'The law'}
        help={
          values.ground === 'terms'
            ? 'Which of the terms, such as “Terms of Service, what may be published”.'
            : 'Which provision, such as “17 U.S.C. § 512(c)(3)” or “Article 17 GDPR”.'
        }
        value={values.legalGround}
        problem={problems.legalGround}
        onChange={({ currentTarget }) => form.set('legalGround', currentTarget.value)}
      />
      <TextArea
        name="facts"
        label="Facts"
        help="What was reported and what you found. It stands in the statement of reasons."
        dir="auto"
        value={values.facts}
        problem={problems.facts}
        onChange={({ currentTarget }) => form.set('facts', currentTarget.value)}
      />
      <TextArea
        name="explanation"
        label="Explanation"
        help="Why the facts lead to this decision, for the people who are concerned."
        dir="auto"
        value={values.explanation}
        problem={problems.explanation}
        onChange={({ currentTarget }) => form.set('explanation', currentTarget.value)}
      />
      <Announced>
        {happened === undefined ? null : (
          <div ref={panel} className="notice notice-told notice-calm desk-overtaken" tabIndex={-1}>
            <div className="notice-words">
              <h3>This notice changed while you were writing</h3>
              <Meanwhile status={notice.status} happened={happened} />
              <p>
                <button type="button" className="button" onClick={form.goOn}>
                  Continue from here
                </button>
              </p>
            </div>
          </div>
        )}
        {form.failure === undefined ? null : <Notice tone="failed">{form.failure}</Notice>}
        {Object.keys(problems).length < 2 ? null : (
          <Notice tone="failed">{`Please correct ${counted(Object.keys(problems).length, 'field')}.`}</Notice>
        )}
      </Announced>
      {preview === undefined ? null : <DecisionPreviewed preview={preview} />}
      <div className="desk-actions">
        {preview === undefined ? null : (
          <button
            type="button"
            className={isGrave ? 'button button-solid accent-banned' : 'button button-solid'}
            aria-haspopup="dialog"
            aria-disabled={form.isSending}
            onClick={ask}
          >
            {word.label}
          </button>
        )}
        <button
          type="submit"
          className={preview === undefined ? 'button button-solid' : 'button'}
          aria-disabled={form.isSending}
        >
          {kind === 'appeal' ? word.label : form.isSending && !isAsking ? 'Loading...' : 'Preview'}
        </button>
        {decisionFields.every((field) => values[field] === '') && onLeave === undefined ? null : (
          <button
            type="button"
            className="button button-quiet"
            onClick={() => {
              form.discard()
              onLeave?.()
            }}
          >
            Discard
          </button>
        )}
      </div>
      {isAsking ? (
        <ConfirmDialog
          title={word.title}
          label={word.label}
          labelWhileSending="Sending..."
          isGrave={isGrave}
          otherwise="The decision could not be sent."
          act={async () => {
            await form.send()
            setIsAsking(false)
          }}
          onClose={() => setIsAsking(false)}
        >
          <p>{word.sentence}</p>
        </ConfirmDialog>
      ) : null}
    </form>
  )
}
