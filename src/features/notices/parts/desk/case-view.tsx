import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useApiMutation } from '../../../../browser/queries.ts'
import { counted } from '../../../../platform/counted.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { useIsOnline } from '../../../../ui/use-is-online.ts'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { isCounterNoticeOpen } from '../../notice/transition.ts'
import { CaseActions } from './case-actions.tsx'
import { CaseAppeal } from './case-appeal.tsx'
import { type CaseOnDesk, changeCase } from './case-calls.ts'
import { CaseCounterNotice } from './case-counter-notice.tsx'
import { CaseDecisions } from './case-decisions.tsx'
import { CaseEvents } from './case-events.tsx'
import { counterNoticeOffersOf, offersOf } from './case-offers.ts'
import { type CaseQuestion, CaseQuestionDialog } from './case-question.tsx'
import { CaseSection } from './case-section.tsx'
import { CaseElements, CaseSender, CaseWords } from './case-sender.tsx'
import { CaseStanding } from './case-standing.tsx'
import { waitsSentence } from './desk-words.ts'
import { FirstAct } from './first-act.tsx'
import { casePath, sameNetworkPath } from './notice-paths.ts'
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
  /** Counts what leads the keyboard to the decisions, and to the form of one. */
  const [decided, setDecided] = useState(0)
  const [begun, setBegun] = useState(0)
  const decisionsHeading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (decided > 0) decisionsHeading.current?.focus()
  }, [decided])
  const desk: CaseOnDesk = { notice, whose, onChanged, onGone, onHandedOn, onDone: setMessage }
  const offers = offersOf(notice)
  const { appeal, counterNotices, duplicateOf } = notice
  const isAppealOpen = appeal?.state === 'open'
  const mode = offers.decide ? 'first' : offers.reverse && (isReversing || isWriting) ? 'next' : undefined

  const act = useApiMutation<unknown, { verb: string; done: string }>({
    mutationFn: ({ verb }) => changeCase(desk, verb),
    onSuccess: (_answer, { done }) => setMessage(done),
  })
  const run = (verb: string, done: string): void => {
    if (act.isPending) return
    setMessage(undefined)
    act.mutate({ verb, done })
  }
  const decide = useCallback(
    (changed: NoticeForDesk, sentence: string): void => {
      onChanged(changed)
      setIsReversing(false)
      setIsWriting(false)
      setIsAnswering(false)
      setMessage(sentence)
      setDecided((count) => count + 1)
    },
    [onChanged],
  )

  const appealPart =
    appeal === null ? null : (
      <CaseSection key="appeal" title={isAppealOpen ? 'An appeal is waiting' : 'Appeal'}>
        <CaseAppeal
          desk={desk}
          appeal={appeal}
          canAnswer={offers.answerAppeal}
          onAnswered={(changed) => decide(changed, changed.waitsForSecond ? waitsSentence : 'The appeal was answered.')}
          isWriting={isAnswering}
          onWriting={setIsAnswering}
        />
      </CaseSection>
    )
  const counterPart = (counterNotice: NoticeForDesk['counterNotices'][number]): ReactNode => {
    const { id, state } = counterNotice
    return (
      <CaseSection key={id} title={state === 'received' ? 'A counter-notice is waiting' : 'Counter-notice'}>
        <CaseCounterNotice
          counterNotice={counterNotice}
          offers={counterNoticeOffersOf(notice, id)}
          onAnswer={(dialog) => setQuestion({ about: 'counter-notice', dialog, id })}
        />
      </CaseSection>
    )
  }
  return (
    <>
      <Announced>
        {message === undefined ? null : <Notice tone="done">{message}</Notice>}
        {act.error === null ? null : <Notice tone="failed">{act.error.message}</Notice>}
      </Announced>
      <Offline />
      <CaseStanding notice={notice} now={now} answeredAt={answeredAt} />
      {notice.firstAct === null ? null : <FirstAct first={notice.firstAct} />}
      {notice.isNothingFound ? (
        <Notice tone="failed">
          <p>
            No address in this notice leads to an entry, so nothing is hidden. Look for the entry yourself and attach
            it: then it is hidden as the notice asks.
          </p>
        </Notice>
      ) : null}
      <CaseActions
        offers={offers}
        hasElements={notice.elements.length > 0}
        isBusy={act.isPending}
        onHide={() => run('hide', 'The entries are hidden until the decision.')}
        onReview={() => run('review', 'The review has begun.')}
        onDecide={() => setBegun((count) => count + 1)}
        onOpen={(dialog) => setQuestion({ about: 'notice', dialog })}
      />
      {duplicateOf === null ? null : (
        <p>
          {'It is a duplicate of '}
          <Link className="work-link" to={casePath(duplicateOf)}>
            {duplicateOf}
          </Link>
          .
        </p>
      )}
      {isAppealOpen || isAnswering ? appealPart : null}
      {counterNotices.filter(({ state }) => isCounterNoticeOpen(state)).map(counterPart)}
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
        heading={decisionsHeading}
        onReverse={(next) => {
          setIsReversing(next)
          if (next) setBegun((count) => count + 1)
        }}
        onDecided={decide}
        onWriting={setIsWriting}
      />
      {isAppealOpen || isAnswering ? null : appealPart}
      {counterNotices.filter(({ state }) => !isCounterNoticeOpen(state)).map(counterPart)}
      <CaseSection title="What happened">
        <CaseEvents events={notice.events} />
      </CaseSection>
      {question === undefined ? null : (
        <CaseQuestionDialog question={question} desk={desk} onClose={() => setQuestion(undefined)} />
      )}
    </>
  )
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
