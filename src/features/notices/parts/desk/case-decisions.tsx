import { useEffect, useRef } from 'react'
import { Button } from '../../../../ui/button.tsx'
import type { NoticeForDesk, Decision } from '../../desk/desk-schema.ts'
import type { CaseOnDesk } from './case-calls.ts'
import { CaseSection } from './case-section.tsx'
import { DecisionForm } from './decision-form.tsx'
import { waitsSentence, decisionInWords, effectLabels } from './desk-words.ts'
import { SavedDraft } from './saved-draft.tsx'
import { Link } from 'react-router'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Facts } from './facts.tsx'

export function CaseDecisions({
  notice,
  canReverse,
  decided,
  onReverse,
}: {
  notice: NoticeForDesk
  /** Whether another one can be begun here. */
  canReverse: boolean
  /** Counts what leads the keyboard to them. */
  decided: number
  onReverse: () => void
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (decided > 0) heading.current?.focus()
  }, [decided])
  if (notice.decisions.length === 0) return null
  return (
    <CaseSection title={notice.decisions.length === 1 ? 'Decision' : 'Decisions'} heading={heading}>
      <DecisionList decisions={notice.decisions} />
      {canReverse ? (
        <div className="desk-actions">
          <Button label="Reverse or change this decision" onClick={onReverse} />
        </div>
      ) : null}
    </CaseSection>
  )
}

/** The form of a decision, or what was typed into one that the notice does not take any more. */
export function CaseDecide({
  desk,
  mode,
  isNext,
  isWriting,
  begun,
  onLeave,
  onDecided,
  onWriting,
}: {
  desk: CaseOnDesk
  /** Whether its form makes the first decision or the next; undefined while there is none. */
  mode: 'first' | 'next' | undefined
  /** Whether to decide is the next step of this case. */
  isNext: boolean
  /** Whether a decision was begun that was not sent. */
  isWriting: boolean
  /** Counts what leads the keyboard to the form. */
  begun: number
  onLeave: () => void
  onDecided: (changed: NoticeForDesk, sentence: string) => void
  onWriting: (isWriting: boolean) => void
}) {
  const { notice, whose } = desk
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (begun > 0) heading.current?.focus()
  }, [begun])
  if (mode === undefined) {
    return isWriting ? (
      <SavedDraft kind="decision" whose={whose} notice={notice} onDiscard={() => onWriting(false)} />
    ) : null
  }
  return (
    <CaseSection title={mode === 'first' ? 'Decide' : 'A new decision'} heading={heading}>
      <DecisionForm
        kind="decision"
        desk={desk}
        isNext={isNext}
        lead={
          mode === 'first'
            ? 'Everybody concerned is emailed a statement of reasons. The preview shows it before anything is sent.'
            : 'A decision is never edited. The new one replaces the one in force, and both stay on record.'
        }
        onDone={(changed) => onDecided(changed, changed.waitsForSecond ? waitsSentence : 'The decision was sent.')}
        onWriting={onWriting}
        onLeave={mode === 'first' ? undefined : onLeave}
      />
    </CaseSection>
  )
}

/** The decisions about a notice, the oldest first; the last one is in force. */
function DecisionList({ decisions }: { decisions: readonly Decision[] }) {
  return (
    <ol className="desk-decisions">
      {decisions.map((decision, place) => (
        <li key={decision.id}>
          <article className="desk-card" aria-label={`Decision ${place + 1}`}>
            <h3>{decisionInWords(decision)}</h3>
            <p className="work-aside">
              <Badge>{place === decisions.length - 1 ? 'In force' : 'Reversed'}</Badge>{' '}
              {decision.decidedBy === null ? 'By the site itself, because its deadline had passed' : 'By '}
              {decision.decidedBy === null ? null : <bdi>{decision.decidedBy}</bdi>}
              {`, ${timeInWords(decision.decidedAt)}.`}
              {decision.reverses === null ? null : ' It replaced the decision before it.'}
            </p>
            <Facts
              of={[
                [decision.ground === 'illegal' ? 'The law' : 'The term', decision.legalGround],
                ['Facts', decision.facts],
                ['Explanation', decision.explanation],
              ]}
            />
            <DecidedItems items={decision.items} />
          </article>
        </li>
      ))}
    </ol>
  )
}

function DecidedItems({ items }: { items: Decision['items'] }) {
  if (items.length === 0) return <p className="work-aside">It touched no entry.</p>
  return (
    <ul className="desk-list" aria-label="What became of the entries">
      {items.map(({ id, name, path, wasReported, effect, reasons }) => (
        <li key={id}>
          <Link className="work-link" to={path} target="_blank">
            <bdi>{name}</bdi>
            <span className="sr-only"> (opens in a new tab)</span>
          </Link>{' '}
          <Badge>{effectLabels[effect]}</Badge>
          {wasReported ? null : <span className="work-aside"> Not reported, but it has a link that was blocked.</span>}
          {reasons.length === 0 ? null : (
            <ul className="desk-reasons" aria-label="What keeps it off">
              {reasons.map(({ code, message, remedy }) => (
                <li key={`${code} ${message}`}>{`${message} ${remedy}`}</li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}
