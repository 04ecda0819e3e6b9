import { timeInWords } from '../../../../browser/format-instant.ts'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import type { CaseOnDesk } from './case-calls.ts'
import { DecisionForm } from './decision-form.tsx'
import { KeptWords } from './kept-words.tsx'

/** What somebody says against the decision, and the answer: its form for whoever may give it, or what it was. */
export function CaseAppeal({
  desk,
  appeal,
  canAnswer,
  onAnswered,
  isWriting,
  onWriting,
}: {
  desk: CaseOnDesk
  appeal: NonNullable<NoticeForDesk['appeal']>
  canAnswer: boolean
  onAnswered: (decided: NoticeForDesk) => void
  /** Whether an answer was begun that was not sent. */
  isWriting: boolean
  onWriting: (isWriting: boolean) => void
}) {
  return (
    <>
      <p className="work-aside">{`Filed ${timeInWords(appeal.filedAt)}.`}</p>
      <p className="desk-words desk-quote" dir="auto">
        {appeal.statement}
      </p>
      {appeal.answeredAt === null ? null : (
        <>
          <p className="work-aside">
            {`${appeal.isUpheld === true ? 'Answered: the decision stands' : 'Answered: the decision was given up'}, ${timeInWords(appeal.answeredAt)}.`}
          </p>
          {appeal.answer === null ? null : (
            <p className="desk-words" dir="auto">
              {appeal.answer}
            </p>
          )}
        </>
      )}
      {appeal.answeredAt === null && !appeal.mayAnswer ? (
        <p>
          You made the decision that this appeal is against, and there is somebody else: an appeal is answered by
          another person.
        </p>
      ) : null}
      {canAnswer ? (
        <DecisionForm
          kind="appeal"
          desk={desk}
          lead="Look at it afresh. The answer is emailed to whoever filed the appeal."
          onDone={onAnswered}
          onWriting={onWriting}
        />
      ) : isWriting ? (
        <KeptWords kind="appeal" whose={desk.whose} notice={desk.notice} onDiscard={() => onWriting(false)} />
      ) : null}
    </>
  )
}
