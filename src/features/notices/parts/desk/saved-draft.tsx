import { Button } from '../../../../ui/button.tsx'
import { dropDraft, readDraft } from '../../../../browser/saved-draft.ts'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { type DecisionKind, draftOf, readSavedDecision } from './decision-values.ts'
import { Facts } from './facts.tsx'

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
      <Facts
        of={[
          ['The law or the term', legalGround.trim()],
          ['Facts', facts.trim()],
          ['Explanation', explanation.trim()],
        ]}
      />
      <div className="desk-actions">
        <Button
          label="Discard"
          onClick={() => {
            dropDraft(whose, draft)
            onDiscard()
          }}
        />
      </div>
    </div>
  )
}
