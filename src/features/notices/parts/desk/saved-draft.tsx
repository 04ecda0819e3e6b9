import { dropDraft, readDraft } from '../../../../browser/saved-draft.ts'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { type DecisionKind, draftOf, readSavedDecision } from './decision-values.ts'

/** A draft whose form the notice no longer offers: to be copied, then thrown away. */
export function SavedDraft({
  kind,
  whose,
  notice,
  onDiscard,
}: {
  kind: DecisionKind
  whose: string
  notice: Pick<NoticeForDesk, 'reference'>
  onDiscard: () => void
}) {
  const draft = draftOf(kind, notice)
  const saved = readSavedDecision(readDraft(whose, draft))
  if (saved === undefined) return null
  const { legalGround, facts, explanation } = saved.values
  return (
    <div className="desk-card">
      <h3>What you had written</h3>
      <p>It was not sent, and the notice no longer takes it. Copy what you need. It stays here until you discard it.</p>
      <dl className="desk-facts">
        {(
          [
            ['The law or the term', legalGround],
            ['Facts', facts],
            ['Explanation', explanation],
          ] as const
        ).map(([label, value]) =>
          value.trim() === '' ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="desk-words" dir="auto">
                {value}
              </dd>
            </div>
          ),
        )}
      </dl>
      <div className="desk-actions">
        <button
          type="button"
          className="button"
          onClick={() => {
            dropDraft(whose, draft)
            onDiscard()
          }}
        >
          Discard
        </button>
      </div>
    </div>
  )
}
