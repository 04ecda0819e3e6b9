import { useEffect, useRef } from 'react'
import { Button } from '../../../../ui/button.tsx'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import type { CaseOnDesk } from './case-calls.ts'
import { CaseSection } from './case-section.tsx'
import { DecisionForm } from './decision-form.tsx'
import { DecisionList } from './decision-list.tsx'
import { waitsSentence } from './desk-words.ts'
import { SavedDraft } from './saved-draft.tsx'

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
