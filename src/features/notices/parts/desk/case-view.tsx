import { useState } from 'react'
import { Link } from 'react-router'
import { useApiMutation } from '../../../../browser/queries.ts'
import { counted } from '../../../../platform/counted.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { useIsOnline } from '../../../../ui/use-is-online.ts'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { CaseActions } from './case-actions.tsx'
import { CaseAppeal } from './case-appeal.tsx'
import { type CaseOnDesk, changeCase } from './case-calls.ts'
import { CaseCounterNotices } from './case-counter-notice.tsx'
import { CaseDecisions } from './case-decisions.tsx'
import { CaseEvents } from './case-events.tsx'
import { offersOf } from './case-offers.ts'
import { type CaseQuestion, CaseQuestionDialog } from './case-question.tsx'
import { CaseSection } from './case-section.tsx'
import { CaseElements, CaseSender, CaseWords } from './case-sender.tsx'
import { CaseStanding } from './case-standing.tsx'
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
  const [isReversing, setIsReversing] = useState(false)
  const [isWriting, setIsWriting] = useState(() => hasSavedDecision(whose, 'decision', notice))
  const [isAnswering, setIsAnswering] = useState(() => hasSavedDecision(whose, 'appeal', notice))
  /** Counters: a change leads the keyboard to the decisions, or to the form of one. */
  const [decided, setDecided] = useState(0)
  const [begun, setBegun] = useState(0)
  const desk: CaseOnDesk = { notice, whose, onChanged, onGone, onHandedOn, onDone: setMessage }
  const offers = offersOf(notice)
  const isAppealFirst = notice.appeal?.state === 'open' || isAnswering
  const mode = offers.decide ? 'first' : offers.reverse && (isReversing || isWriting) ? 'next' : undefined

  const act = useCaseAct(desk, setMessage)
  const decide = (changed: NoticeForDesk, sentence: string): void => {
    onChanged(changed)
    setIsReversing(false)
    setIsWriting(false)
    setIsAnswering(false)
    setMessage(sentence)
    setDecided((count) => count + 1)
  }

  const appeal = (
    <CaseAppeal
      key="appeal"
      desk={desk}
      canAnswer={offers.answerAppeal}
      onAnswered={decide}
      isWriting={isAnswering}
      onWriting={setIsAnswering}
    />
  )
  return (
    <>
      <Announced>
        {message === undefined ? null : <Notice tone="done">{message}</Notice>}
        {act.error === null ? null : <Notice tone="failed">{act.error.message}</Notice>}
      </Announced>
      <Offline />
      <CaseStanding notice={notice} now={now} answeredAt={answeredAt} />
      <CaseActions
        offers={offers}
        hasElements={notice.elements.length > 0}
        isBusy={act.isBusy}
        onHide={() => act.run('hide', 'The entries are hidden until the decision.')}
        onReview={() => act.run('review', 'The review has begun.')}
        onDecide={() => setBegun((count) => count + 1)}
        onOpen={(dialog) => setQuestion({ about: 'notice', dialog })}
      />
      {isAppealFirst ? appeal : null}
      <CaseCounterNotices notice={notice} areOpen onAnswer={setQuestion} />
      <CaseSection title="What was reported">
        <ReportedEntries
          addresses={notice.addresses}
          hostLabels={hostLabels}
          onDetach={offers.entries ? (address) => setQuestion({ about: 'address', address }) : undefined}
        />
      </CaseSection>
      <CaseFacts notice={notice} />
      <CaseDecisions
        desk={desk}
        mode={mode}
        canReverse={offers.reverse}
        isWriting={isWriting}
        begun={begun}
        decided={decided}
        onReverse={(next) => {
          setIsReversing(next)
          if (next) setBegun((count) => count + 1)
        }}
        onDecided={decide}
        onWriting={setIsWriting}
      />
      {isAppealFirst ? null : appeal}
      <CaseCounterNotices notice={notice} areOpen={false} onAnswer={setQuestion} />
      <CaseSection title="What happened">
        <CaseEvents events={notice.events} />
      </CaseSection>
      {question === undefined ? null : (
        <CaseQuestionDialog question={question} desk={desk} onClose={() => setQuestion(undefined)} />
      )}
    </>
  )
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

/** The elements that the law asks for, the sender's words, and the sender. */
function CaseFacts({ notice }: { notice: NoticeForDesk }) {
  return (
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
  )
}

function Offline() {
  return useIsOnline() ? null : (
    <Notice tone="calm">
      <p>You are offline. Your text is kept. You can send it once you are connected again.</p>
    </Notice>
  )
}
