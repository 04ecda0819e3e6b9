import type { CaseQuestion } from './case-question.tsx'
import type { CaseOffers } from './case-offers.ts'

type DialogName = Extract<CaseQuestion, { about: 'notice' }>['dialog']

/** The possible acts, the next step first. */
export function CaseActions({
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
