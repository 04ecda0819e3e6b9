import { useState } from 'react'
import { Link } from 'react-router'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { counted } from '../../../../platform/counted.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { useIsOnline } from '../../../../ui/use-is-online.ts'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { CaseActions } from './case-actions.tsx'
import { CaseAppeal } from './case-appeal.tsx'
import { type CaseOnDesk, changeCase } from './case-calls.ts'
import { CaseAssignee, CaseElements, CaseSender, CaseWords } from './case-assignee.tsx'
import { CaseCounterNotices } from './case-counter-notice.tsx'
import { CaseDecide, CaseDecisions } from './case-decisions.tsx'
import { offersOf } from './case-offers.ts'
import { type CaseQuestion, CaseQuestionDialog } from './case-question.tsx'
import { CaseSection } from './case-section.tsx'
import { CaseStanding } from './case-standing.tsx'
import { nextStepOf } from './next-step.ts'
import { sameNetworkPath } from './notice-paths.ts'
import { ReportedEntries } from './reported-entries.tsx'
import { hasSavedDecision } from './use-decision-form.ts'

/**
 * A notice, and what can be done with it as it stands.
 * @param now in milliseconds since 1970
 * @param answeredAt when the notice was so, in milliseconds since 1970
 */
export function CaseView({
  notice,
  whose,
  hostLabels,
  now,
  answeredAt,
  onChanged,
  onGone,
  onHandedOn,
}: Omit<CaseOnDesk, 'onDone'> & {
  hostLabels: readonly string[]
  now: number
  answeredAt: number
}) {
  const [message, setMessage] = useState<string>()
  const [question, setQuestion] = useState<CaseQuestion>()
  const forms = useCaseForms(whose, notice)
  const { isWriting, isAnswering } = forms
  const desk: CaseOnDesk = { notice, whose, onChanged, onGone, onHandedOn, onDone: setMessage }
  const offers = offersOf(notice)
  const next = nextStepOf(notice, offers)
  const isAppealFirst = notice.appeal?.state === 'open' || isAnswering
  const mode = offers.decide ? 'first' : offers.reverse && (forms.isReversing || isWriting) ? 'next' : undefined

  const act = useCaseAct(desk, setMessage)
  const decide = (changed: NoticeForDesk, sentence: string): void => {
    onChanged(changed)
    setMessage(sentence)
    forms.close()
  }

  const appeal = (
    <CaseAppeal
      key="appeal"
      desk={desk}
      canAnswer={offers.answerAppeal}
      onAnswered={decide}
      isWriting={isAnswering}
      onWriting={forms.setIsAnswering}
    />
  )
  const hasSide = isAppealFirst || mode !== undefined || isWriting
  const facts = (
    <CaseFacts
      key="facts"
      notice={notice}
      hostLabels={hostLabels}
      canDetach={offers.entries}
      canReverse={offers.reverse && mode === undefined}
      decided={forms.decided}
      onReverse={forms.reverse}
      onQuestion={setQuestion}
    />
  )
  const side = (
    <div key="side" className="desk-case-side">
      {isAppealFirst ? appeal : null}
      <CaseDecide
        desk={desk}
        mode={mode}
        isNext={next === undefined || next === 'decide'}
        isWriting={isWriting}
        begun={forms.begun}
        onLeave={forms.leave}
        onDecided={decide}
        onWriting={forms.setIsWriting}
      />
    </div>
  )
  return (
    <>
      <CaseNews done={message} failure={act.error?.message} />
      <CaseStanding notice={notice} now={now} answeredAt={answeredAt} />
      <div className="desk-bar">
        <CaseActions
          offers={offers}
          next={next}
          hasElements={notice.elements.length > 0}
          isBusy={act.isBusy}
          isAsking={question !== undefined}
          onHide={() => act.run('hide', 'The entries are hidden until the decision.')}
          onReview={() => act.run('review', 'The review has begun.')}
          onDecide={forms.begin}
          onOpen={(dialog) => setQuestion({ about: 'notice', dialog })}
        />
        <CaseAssignee desk={desk} />
      </div>
      <div className={hasSide ? 'desk-case has-side' : 'desk-case'}>
        {isAppealFirst ? [side, facts] : [facts, side]}
        <div className="desk-case-more">
          {isAppealFirst ? null : appeal}
          <CaseHistory notice={notice} onQuestion={setQuestion} />
        </div>
      </div>
      {question === undefined ? null : (
        <CaseQuestionDialog question={question} desk={desk} onClose={() => setQuestion(undefined)} />
      )}
    </>
  )
}

/** The forms of a case: which of them are open, and where they lead the keyboard. */
function useCaseForms(whose: string, notice: NoticeForDesk) {
  const [isReversing, setIsReversing] = useState(false)
  const [isWriting, setIsWriting] = useState(() => hasSavedDecision(whose, 'decision', notice))
  const [isAnswering, setIsAnswering] = useState(() => hasSavedDecision(whose, 'appeal', notice))
  /** Counters: a change leads the keyboard to the decisions, or to the form of one. */
  const [decided, setDecided] = useState(0)
  const [begun, setBegun] = useState(0)
  const begin = (): void => setBegun((count) => count + 1)
  return {
    isReversing,
    isWriting,
    setIsWriting,
    isAnswering,
    setIsAnswering,
    decided,
    begun,
    begin,
    reverse() {
      setIsReversing(true)
      begin()
    },
    leave: () => setIsReversing(false),
    close() {
      setIsReversing(false)
      setIsWriting(false)
      setIsAnswering(false)
      setDecided((count) => count + 1)
    },
  }
}

/** Acts on a case that need no words; one at a time. */
function useCaseAct(desk: CaseOnDesk, onMessage: (done: string | undefined) => void) {
  const { mutate, error, isPending } = useApiMutation<unknown, { verb: string; done: string }>({
    mutationFn: ({ verb }) => changeCase(desk, verb),
    onSuccess: (_answer, { done }) => onMessage(done),
  })
  const run = (verb: string, done: string): void => {
    if (isPending) return
    onMessage(undefined)
    mutate({ verb, done })
  }
  return { run, error, isBusy: isPending }
}

function CaseFacts({
  notice,
  hostLabels,
  canDetach,
  canReverse,
  decided,
  onReverse,
  onQuestion,
}: {
  notice: NoticeForDesk
  hostLabels: readonly string[]
  canDetach: boolean
  canReverse: boolean
  decided: number
  onReverse: () => void
  onQuestion: (question: CaseQuestion) => void
}) {
  return (
    <div className="desk-case-facts">
      <CaseCounterNotices notice={notice} areOpen onAnswer={onQuestion} />
      <CaseSection title="What was reported">
        <ReportedEntries
          addresses={notice.addresses}
          hostLabels={hostLabels}
          onDetach={canDetach ? (address) => onQuestion({ about: 'address', address }) : undefined}
        />
      </CaseSection>
      <div className="desk-columns">
        <CaseSection title="What the law asks">
          <CaseElements kind={notice.kind} elements={notice.elements} />
        </CaseSection>
        <CaseSection title="In their words">
          <CaseWords notice={notice} />
        </CaseSection>
        <CaseSection title="Sender">
          <CaseSender sender={notice.sender} forgottenAt={notice.forgottenAt} />
          {notice.sameNetwork === 0 ? null : (
            <p>
              <Link className="work-link" to={sameNetworkPath(notice.reference)}>
                {counted(notice.sameNetwork, 'more waiting notice')} from the same network
              </Link>
            </p>
          )}
        </CaseSection>
      </div>
      <CaseDecisions notice={notice} canReverse={canReverse} decided={decided} onReverse={onReverse} />
    </div>
  )
}

/** The counter-notices that wait for nothing any more, and the events. */
function CaseHistory({ notice, onQuestion }: { notice: NoticeForDesk; onQuestion: (question: CaseQuestion) => void }) {
  return (
    <>
      <CaseCounterNotices notice={notice} areOpen={false} onAnswer={onQuestion} />
      <CaseSection title="What happened">
        <CaseEvents events={notice.events} />
      </CaseSection>
    </>
  )
}

function CaseNews({ done, failure }: { done: string | undefined; failure: string | undefined }) {
  return (
    <>
      <Announced>
        {done === undefined ? null : <Notice tone="done">{done}</Notice>}
        {failure === undefined ? null : <Notice tone="failed">{failure}</Notice>}
      </Announced>
      <Offline />
    </>
  )
}

function Offline() {
  return useIsOnline() ? null : (
    <Notice tone="calm">
      <p>You are offline. Your text is kept. You can send it once you are connected again.</p>
    </Notice>
  )
}

function CaseEvents({ events }: { events: NoticeForDesk['events'] }) {
  return (
    <ol className="desk-events">
      {events.map(({ at, sentence }, place) => (
        // An event has no name, and none ever moves.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={place}>
          <time dateTime={at} title={at}>
            {timeInWords(at)}
          </time>
          <bdi>{sentence}</bdi>
        </li>
      ))}
    </ol>
  )
}
