import { timeInWords } from '../../../../browser/format-instant.ts'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import type { CaseOnDesk } from './case-calls.ts'
import { CaseSection } from './case-section.tsx'
import { DecisionForm } from './decision-form.tsx'
import { waitsSentence } from './desk-words.ts'
import { SavedDraft } from './saved-draft.tsx'

/** An appeal and its answer: the form for those who may answer, or the recorded answer. */
export function CaseAppeal({
  desk,
  canAnswer,
  onAnswered,
  isWriting,
  onWriting,
}: {
  desk: CaseOnDesk
  canAnswer: boolean
  onAnswered: (decided: NoticeForDesk, sentence: string) => void
  /** Whether an answer was begun that was not sent. */
  isWriting: boolean
  onWriting: (isWriting: boolean) => void
}) {
  const { appeal } = desk.notice
  if (appeal === null) return null
  return (
    <CaseSection title={appeal.state === 'open' ? 'An appeal is waiting' : 'Appeal'}>
      <p className="work-aside">{`Filed ${timeInWords(appeal.filedAt)}.`}</p>
      <p className="desk-words desk-quote" dir="auto">
        {appeal.statement}
      </p>
      {appeal.answeredAt === null ? null : (
        <>
          <p className="work-aside">
            {`${appeal.isUpheld === true ? 'Answered: the decision stands' : 'Answered: the decision was overturned'}, ${timeInWords(appeal.answeredAt)}.`}
          </p>
          {appeal.answer === null ? null : (
            <p className="desk-words" dir="auto">
              {appeal.answer}
            </p>
          )}
        </>
      )}
      {appeal.answeredAt === null && !appeal.mayAnswer ? (
        <p>You made the decision under appeal, so another administrator has to answer it.</p>
      ) : null}
      {canAnswer ? (
        <DecisionForm
          kind="appeal"
          desk={desk}
          lead="Look at the case afresh. We email your answer to the person who appealed."
          onDone={(changed) => onAnswered(changed, changed.waitsForSecond ? waitsSentence : 'The appeal was answered.')}
          onWriting={onWriting}
        />
      ) : isWriting ? (
        <SavedDraft kind="appeal" whose={desk.whose} notice={desk.notice} onDiscard={() => onWriting(false)} />
      ) : null}
    </CaseSection>
  )
}
