import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { counted } from '../../../../platform/counted.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { useIsOnline } from '../../../../ui/use-is-online.ts'
import type { NoticeForDesk, ReportedAddress } from '../../desk/desk-schema.ts'
import { statusLabels } from '../../notice/notice-kinds.ts'
import { isCounterNoticeOpen } from '../../notice/transition.ts'
import { CaseAppeal } from './case-appeal.tsx'
import { type CaseOnDesk, changeCase } from './case-calls.ts'
import { CaseCounterNotice } from './case-counter-notice.tsx'
import {
  AcceptDialog,
  ActionDialog,
  AskDialog,
  AttachDialog,
  CloseDialog,
  DetachDialog,
  DuplicateDialog,
  KindDialog,
  RefuseDialog,
} from './case-dialogs.tsx'
import { CaseEvents } from './case-events.tsx'
import { type CaseOffers, counterNoticeOffersOf, offersOf } from './case-offers.ts'
import { CaseElements, CaseSender, CaseWords } from './case-sender.tsx'
import { ClockLeft } from './clock-left.tsx'
import { DecisionForm } from './decision-form.tsx'
import { DecisionList } from './decision-list.tsx'
import { overInWords, waitsSentence, withheldLabel } from './desk-words.ts'
import { FirstAct } from './first-act.tsx'
import { SavedDraft } from './saved-draft.tsx'
import { casePath, sameNetworkPath } from './notice-paths.ts'
import { ReportedEntries } from './reported-entries.tsx'
import { hasSavedDecision } from './use-decision-form.ts'

type DialogName = 'ask' | 'kind' | 'attach' | 'duplicate' | 'close'

const dialogs = {
  ask: AskDialog,
  kind: KindDialog,
  attach: AttachDialog,
  duplicate: DuplicateDialog,
  close: CloseDialog,
} as const

const counterNoticeDialogs = { accept: AcceptDialog, refuse: RefuseDialog, action: ActionDialog } as const

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
  const [open, setOpen] = useState<DialogName>()
  const [answering, setAnswering] = useState<{ dialog: keyof typeof counterNoticeDialogs; id: string }>()
  const [detaching, setDetaching] = useState<ReportedAddress>()
  const [isReversing, setIsReversing] = useState(false)
  const [isWriting, setIsWriting] = useState(() => hasSavedDecision(whose, 'decision', notice))
  const [isAnswering, setIsAnswering] = useState(() => hasSavedDecision(whose, 'appeal', notice))
  /** Counts what leads the keyboard to the decisions, and to the form of one. */
  const [decided, setDecided] = useState(0)
  const [begun, setBegun] = useState(0)
  const decisionsHeading = useRef<HTMLHeadingElement>(null)
  const formHeading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (decided > 0) decisionsHeading.current?.focus()
  }, [decided])
  useEffect(() => {
    if (begun > 0) formHeading.current?.focus()
  }, [begun])
  const isOnline = useIsOnline()
  const desk: CaseOnDesk = { notice, whose, onChanged, onGone, onHandedOn, onDone: setMessage }
  const offers = offersOf(notice)
  const { appeal, counterNotices, decisions, duplicateOf } = notice
  const isAppealOpen = appeal?.state === 'open'
  const hasForm = offers.decide || (offers.reverse && (isReversing || isWriting))

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
    const answer = (dialog: keyof typeof counterNoticeDialogs) => () => setAnswering({ dialog, id })
    const isUnanswered = state === 'received'
    return (
      <CaseSection key={id} title={isUnanswered ? 'A counter-notice is waiting' : 'Counter-notice'}>
        <CaseCounterNotice
          counterNotice={counterNotice}
          offers={counterNoticeOffersOf(notice, id)}
          onAccept={answer('accept')}
          onRefuse={answer('refuse')}
          onNoteAction={answer('action')}
        />
      </CaseSection>
    )
  }
  const Shown = open === undefined ? undefined : dialogs[open]
  const Answering = answering === undefined ? undefined : counterNoticeDialogs[answering.dialog]
  const answered = counterNotices.find(({ id }) => id === answering?.id)
  return (
    <>
      <Announced>
        {message === undefined ? null : <Notice tone="done">{message}</Notice>}
        {act.error === null ? null : <Notice tone="failed">{act.error.message}</Notice>}
      </Announced>
      {isOnline ? null : (
        <Notice tone="calm">
          <p>You are offline. Your text is kept. You can send it once you are connected again.</p>
        </Notice>
      )}
      <Standing notice={notice} now={now} answeredAt={answeredAt} />
      {notice.firstAct === null ? null : <FirstAct first={notice.firstAct} />}
      {notice.isNothingFound ? (
        <Notice tone="failed">
          <p>
            No address in this notice leads to an entry, so nothing is hidden. Look for the entry yourself and attach
            it: then it is hidden as the notice asks.
          </p>
        </Notice>
      ) : null}
      <Actions
        offers={offers}
        hasElements={notice.elements.length > 0}
        isBusy={act.isPending}
        onHide={() => run('hide', 'The entries are hidden until the decision.')}
        onReview={() => run('review', 'The review has begun.')}
        onDecide={() => setBegun((count) => count + 1)}
        onOpen={setOpen}
      />
      {duplicateOf === null ? null : (
        <p>
          It is a duplicate of <CaseLink reference={duplicateOf} />.
        </p>
      )}
      {isAppealOpen || isAnswering ? appealPart : null}
      {counterNotices.filter(({ state }) => isCounterNoticeOpen(state)).map(counterPart)}
      <CaseSection title="What was reported">
        <ReportedEntries
          addresses={notice.addresses}
          hostLabels={hostLabels}
          onDetach={offers.entries ? setDetaching : undefined}
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
                {counted(notice.sameNetwork, 'more notice')} from the same network
              </Link>
            </p>
          )}
        </CaseSection>
      </div>
      {decisions.length === 0 ? null : (
        <CaseSection title={decisions.length === 1 ? 'Decision' : 'Decisions'} heading={decisionsHeading}>
          <DecisionList decisions={decisions} />
          {offers.reverse && !hasForm ? (
            <div className="desk-actions">
              <button
                type="button"
                className="button"
                onClick={() => {
                  setIsReversing(true)
                  setBegun((count) => count + 1)
                }}
              >
                Reverse or change this decision
              </button>
            </div>
          ) : null}
        </CaseSection>
      )}
      {hasForm ? (
        <CaseSection title={offers.decide ? 'Decide' : 'A new decision'} heading={formHeading}>
          <DecisionForm
            kind="decision"
            desk={desk}
            lead={
              offers.decide
                ? 'Everybody concerned is emailed a statement of reasons. The preview shows it before anything is sent.'
                : 'A decision is never edited. The new one replaces the one in force, and both stay on record.'
            }
            onDone={(changed) => decide(changed, changed.waitsForSecond ? waitsSentence : 'The decision was sent.')}
            onWriting={setIsWriting}
            onLeave={offers.decide ? undefined : () => setIsReversing(false)}
          />
        </CaseSection>
      ) : null}
      {isWriting && !hasForm ? (
        <SavedDraft kind="decision" whose={whose} notice={notice} onDiscard={() => setIsWriting(false)} />
      ) : null}
      {isAppealOpen || isAnswering ? null : appealPart}
      {counterNotices.filter(({ state }) => !isCounterNoticeOpen(state)).map(counterPart)}
      <CaseSection title="What happened">
        <CaseEvents events={notice.events} />
      </CaseSection>
      {Shown === undefined ? null : <Shown desk={desk} onClose={() => setOpen(undefined)} />}
      {Answering === undefined || answered === undefined ? null : (
        <Answering desk={desk} counterNotice={answered} onClose={() => setAnswering(undefined)} />
      )}
      {detaching === undefined ? null : (
        <DetachDialog desk={desk} address={detaching} onClose={() => setDetaching(undefined)} />
      )}
    </>
  )
}

/** A part of the page, under a heading that the keyboard can be led to. */
function CaseSection({
  title,
  heading,
  children,
}: {
  title: string
  heading?: RefObject<HTMLHeadingElement | null>
  children: ReactNode
}) {
  return (
    <section className="work-section" aria-label={title}>
      <h2 {...(heading === undefined ? {} : { ref: heading, tabIndex: -1 })}>{title}</h2>
      {children}
    </section>
  )
}

function CaseLink({ reference }: { reference: string }) {
  return (
    <Link className="work-link" to={casePath(reference)}>
      {reference}
    </Link>
  )
}

/** How the notice stands, and what is due when. */
function Standing({ notice, now, answeredAt }: { notice: NoticeForDesk; now: number; answeredAt: number }) {
  const { status, isWithheld, clocks } = notice
  const over = overInWords(status)
  return (
    <div className="desk-standing">
      <p>
        <Badge>{statusLabels[status]}</Badge>
        {over === undefined ? null : ` ${over}`}
      </p>
      {isWithheld ? (
        <Notice tone="calm">
          <p>{withheldLabel}.</p>
          <p>The entries that are marked so are on the site still. Hide them by hand if they may have to go.</p>
        </Notice>
      ) : null}
      {clocks.length === 0 ? null : (
        <ul aria-label="Deadlines">
          {clocks.map((clock) => (
            <li key={`${clock.name} ${clock.dueAt}`}>
              <ClockLeft clock={clock} now={now} />
              <span className="work-aside">{timeInWords(clock.dueAt)}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="work-aside">
        {clocks.length === 0 ? 'No deadline is running. ' : ''}
        {`As of ${timeInWords(new Date(answeredAt).toISOString())}.`}
      </p>
    </div>
  )
}

/** The possible acts, the next step first. */
function Actions({
  offers,
  hasElements,
  isBusy,
  onHide,
  onReview,
  onDecide,
  onOpen,
}: {
  offers: CaseOffers
  hasElements: boolean
  isBusy: boolean
  onHide: () => void
  onReview: () => void
  onDecide: () => void
  onOpen: (dialog: DialogName) => void
}) {
  const more: [DialogName, string, boolean][] = [
    ['ask', 'Ask for information', offers.ask && hasElements],
    ['kind', 'Change kind', offers.kind],
    ['attach', 'Attach an entry', offers.entries],
    ['duplicate', 'Mark as duplicate', offers.duplicate],
    ['close', 'Close', offers.close],
  ]
  if (!offers.hide && !offers.review && !offers.decide && more.every(([, , isOffered]) => !isOffered)) return null
  return (
    <div className="desk-actions" role="group" aria-label="Actions">
      {offers.hide ? (
        <button type="button" className="button button-solid" aria-disabled={isBusy} onClick={onHide}>
          Hide the entries
        </button>
      ) : null}
      {offers.review ? (
        <button
          type="button"
          className={offers.hide ? 'button' : 'button button-solid'}
          aria-disabled={isBusy}
          onClick={onReview}
        >
          Begin review
        </button>
      ) : null}
      {offers.decide ? (
        <button
          type="button"
          className={offers.hide || offers.review ? 'button' : 'button button-solid'}
          onClick={onDecide}
        >
          Decide
        </button>
      ) : null}
      {more.map(([name, label, isOffered]) =>
        isOffered ? (
          <button key={name} type="button" className="button" aria-haspopup="dialog" onClick={() => onOpen(name)}>
            {label}
          </button>
        ) : null,
      )}
    </div>
  )
}
