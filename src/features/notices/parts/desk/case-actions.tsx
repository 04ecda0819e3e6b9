import { useEffect, useRef } from 'react'
import { RowMenu } from '../../../../ui/row-menu.tsx'
import type { CaseQuestion } from './case-question.tsx'
import type { CaseOffers } from './case-offers.ts'
import type { NextStep } from './next-step.ts'

type DialogName = Extract<CaseQuestion, { about: 'notice' }>['dialog']

/** The possible acts: the next step is filled and comes first, what is rare waits in a menu. */
export function CaseActions({
  offers,
  next,
  hasElements,
  isBusy,
  isAsking,
  onHide,
  onReview,
  onDecide,
  onOpen,
}: {
  offers: CaseOffers
  next: NextStep | undefined
  hasElements: boolean
  isBusy: boolean
  /** Whether a dialog about the case is open. */
  isAsking: boolean
  onHide: () => void
  onReview: () => void
  onDecide: () => void
  onOpen: (dialog: DialogName) => void
}) {
  const acts: [step: NextStep | 'close', label: string, isOffered: boolean, act: () => void][] = [
    ['hide', 'Hide the entries', offers.hide, onHide],
    ['attach', 'Attach an entry', next === 'attach', () => onOpen('attach')],
    ['review', 'Begin review', offers.review, onReview],
    ['decide', 'Decide', offers.decide, onDecide],
    ['ask', 'Ask for information', offers.ask && hasElements, () => onOpen('ask')],
    ['close', 'Close', offers.close, () => onOpen('close')],
  ]
  const shown = acts
    .filter(([, , isOffered]) => isOffered)
    .toSorted(([a], [b]) => Number(b === next) - Number(a === next))
  const rare: [DialogName, string, boolean][] = [
    ['kind', 'Change kind', offers.kind],
    ['attach', 'Attach an entry', offers.entries && next !== 'attach'],
    ['duplicate', 'Mark as duplicate', offers.duplicate],
  ]
  const more = rare.flatMap(([name, label, isOffered]) => (isOffered ? [{ label, onSelect: () => onOpen(name) }] : []))
  const group = useRef<HTMLDivElement>(null)
  const pressed = useRef<NextStep | 'close'>(undefined)
  useEffect(() => {
    if (pressed.current === undefined || shown.some(([step]) => step === pressed.current)) return
    pressed.current = undefined
    // The button that was pressed is gone: who works by keyboard goes on with the next step.
    if (document.activeElement === document.body) group.current?.querySelector('button')?.focus()
  })
  useEffect(() => {
    // Over, and the button is still there: the act has failed, or its dialog was cancelled.
    if (!isBusy && !isAsking) pressed.current = undefined
  }, [isBusy, isAsking])
  if (shown.length === 0 && more.length === 0) return null
  return (
    <div ref={group} className="desk-actions" role="group" aria-label="Actions">
      {shown.map(([step, label, , act]) => {
        const opensDialog = step === 'ask' || step === 'attach' || step === 'close'
        return (
          <button
            key={step}
            type="button"
            // The form of the decision has its own filled button.
            className={step === next && step !== 'decide' ? 'button button-solid' : 'button'}
            {...(opensDialog ? { 'aria-haspopup': 'dialog' as const } : {})}
            aria-disabled={isBusy}
            onClick={() => {
              // The form of the decision leads the keyboard itself.
              if (step !== 'decide') pressed.current = step
              act()
            }}
          >
            {label}
          </button>
        )
      })}
      {more.length === 0 ? null : <RowMenu items={more} />}
    </div>
  )
}
