import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { FieldErrorText } from '../../../../ui/text-field.tsx'
import type { ItemForAdmin, Reason } from '../content-schema.ts'
import { RenewDialog, WithdrawDialog } from './consent-questions.tsx'
import { ConsentRow } from './consent-row.tsx'
import { type ConsentValues, newConsent } from './form-values.ts'
import { problemOf } from './problems.ts'

export function Consents({
  consents,
  item,
  reasons,
  onChange,
  onRecorded,
}: {
  consents: readonly ConsentValues[]
  item: ItemForAdmin | undefined
  reasons: readonly Reason[]
  onChange: (consents: ConsentValues[]) => void
  onRecorded: (item: ItemForAdmin) => void
}) {
  const [question, setQuestion] = useState<{ asked: 'withdraw' | 'renew'; consent: ConsentValues }>()
  const general = problemOf(reasons, 'consents')
  const Question = question?.asked === 'renew' ? RenewDialog : WithdrawDialog
  return (
    <div className="content-consents">
      {consents.map((consent, place) => (
        <ConsentRow
          // A new row has no id; rows are only added at the end and removed one by one.
          key={consent.id ?? `new ${place}`}
          consent={consent}
          place={place}
          stored={item?.consents.find(({ id }) => id === consent.id)}
          reasons={reasons}
          onChange={(part) => onChange(consents.map((one) => (one === consent ? { ...one, ...part } : one)))}
          onRemove={() => onChange(consents.filter((one) => one !== consent))}
          onAsk={(asked) => setQuestion({ asked, consent })}
        />
      ))}
      <FieldErrorText id="consents-problem" problem={general} />
      <Button
        label="Add a person"
        name="consents"
        data-problem={general !== undefined}
        aria-describedby="consents-problem"
        onClick={() => onChange([...consents, { ...newConsent }])}
      />
      {question === undefined || item === undefined ? null : (
        <Question
          consent={question.consent}
          item={item}
          onRecorded={(part, changed) => {
            onChange(consents.map((one) => (one.id === question.consent.id ? { ...one, ...part } : one)))
            setQuestion(undefined)
            onRecorded(changed)
          }}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </div>
  )
}
