import { useEffect, useRef } from 'react'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import type { CaseOnDesk } from './case-calls.ts'
import { CaseSection } from './case-section.tsx'
import { DecisionForm } from './decision-form.tsx'
import { DecisionList } from './decision-list.tsx'
import { waitsSentence } from './desk-words.ts'
import { SavedDraft } from './saved-draft.tsx'

/** The decisions about a notice, and the form of the next one where it can be decided. */
export function CaseDecisions({
  desk,
  mode,
  canReverse,
  isWriting,
  begun,
  decided,
  onReverse,
  onDecided,
  onWriting,
}: {
  desk: CaseOnDesk
  /** Whether its form makes the first decision or the next; undefined while there is none. */
  mode: 'first' | 'next' | undefined
  canReverse: boolean
  /** Whether a decision was begun that was not sent. */
  isWriting: boolean
  /** Counts what leads the keyboard to the form. */
  begun: number
  /** Counts what leads it back to the decisions. */
  decided: number
  onReverse: (isReversing: boolean) => void
  onDecided: (changed: NoticeForDesk, sentence: string) => void
  onWriting: (isWriting: boolean) => void
}) {
  const { notice, whose } = desk
  const formHeading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (begun > 0) formHeading.current?.focus()
  }, [begun])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (decided > 0) heading.current?.focus()
  }, [decided])
  return (
    <>
      {notice.decisions.length === 0 ? null : (
        <CaseSection title={notice.decisions.length === 1 ? 'Decision' : 'Decisions'} heading={heading}>
          <DecisionList decisions={notice.decisions} />
          {canReverse && mode === undefined ? (
            <div className="desk-actions">
              <button type="button" className="button" onClick={() => onReverse(true)}>
                Reverse or change this decision
              </button>
            </div>
          ) : null}
        </CaseSection>
      )}
      {mode === undefined ? null : (
        <CaseSection title={mode === 'first' ? 'Decide' : 'A new decision'} heading={formHeading}>
          <DecisionForm
            kind="decision"
            desk={desk}
            lead={
              mode === 'first'
                ? 'Everybody concerned is emailed a statement of reasons. The preview shows it before anything is sent.'
                : 'A decision is never edited. The new one replaces the one in force, and both stay on record.'
            }
            onDone={(changed) => onDecided(changed, changed.waitsForSecond ? waitsSentence : 'The decision was sent.')}
            onWriting={onWriting}
            onLeave={mode === 'first' ? undefined : () => onReverse(false)}
          />
        </CaseSection>
      )}
      {isWriting && mode === undefined ? (
        <SavedDraft kind="decision" whose={whose} notice={notice} onDiscard={() => onWriting(false)} />
      ) : null}
    </>
  )
}
