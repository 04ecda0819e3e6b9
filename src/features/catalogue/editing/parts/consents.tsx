import { useState, type ReactNode } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { FieldErrorText, TextField } from '../../../../ui/text-field.tsx'
import { ItemForAdmin, type Reason } from '../content-schema.ts'
import { type ConsentValues, newConsent } from './form-values.ts'
import { problemOf } from './problems.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { adultNames } from './content-words.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { requestAsAdmin } from '../../../office/browser/request-as-admin.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'

export function Consents({
  consents,
  item,
  reasons,
  isSaving,
  onChange,
  onRecorded,
}: {
  consents: readonly ConsentValues[]
  item: ItemForAdmin | undefined
  reasons: readonly Reason[]
  isSaving: boolean
  onChange: (consents: ConsentValues[]) => void
  onRecorded: (item: ItemForAdmin) => void
}) {
  const [question, setQuestion] = useState<{ asked: 'withdraw' | 'renew'; consent: ConsentValues }>()
  const [removals, setRemovals] = useState(0)
  const general = problemOf(reasons, 'consents')
  const Question = question?.asked === 'renew' ? RenewDialog : WithdrawDialog
  return (
    <div className="content-consents">
      {consents.map((consent, place) => (
        <ConsentRow
          // Not its id: a new one is given it by a save, and what is typed in meanwhile keeps the focus. Rows are only
          // added at the end and removed one by one.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${removals} ${place}`}
          consent={consent}
          place={place}
          stored={item?.consents.find(({ id }) => id === consent.id)}
          reasons={reasons}
          isSaving={isSaving}
          onChange={(part) => onChange(consents.map((one) => (one === consent ? { ...one, ...part } : one)))}
          onRemove={() => {
            onChange(consents.filter((one) => one !== consent))
            setRemovals((count) => count + 1)
          }}
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

function ConsentRow({
  consent,
  place,
  stored,
  reasons,
  isSaving,
  onChange,
  onRemove,
  onAsk,
}: {
  consent: ConsentValues
  place: number
  /** As it is stored; undefined for a new one. */
  stored: ItemForAdmin['consents'][number] | undefined
  reasons: readonly Reason[]
  isSaving: boolean
  onChange: (part: Partial<ConsentValues>) => void
  onRemove: () => void
  onAsk: (asked: 'withdraw' | 'renew') => void
}) {
  const nameOf = (name: keyof ConsentValues): string => `consents.${place}.${name}`
  const problem = (name: keyof ConsentValues): string | undefined => problemOf(reasons, nameOf(name))
  const text = (name: 'pseudonym' | 'evidence' | 'verifiedAdult' | 'validTo') => ({
    name: nameOf(name),
    value: consent[name],
    problem: problem(name),
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value }),
  })
  const tick = (name: 'permitsPublication' | 'permitsDownload') => ({
    name: nameOf(name),
    checked: consent[name],
    onChange: (event: { currentTarget: { checked: boolean } }) => onChange({ [name]: event.currentTarget.checked }),
  })
  const step = (label: string, onClick: () => void): ReactNode => (
    <Button label={label} about={` of ${consent.pseudonym}`} isBusy={isSaving} onClick={onClick} />
  )
  const isWithdrawn = stored !== undefined && stored.withdrawnAt !== null
  return (
    <fieldset className="content-consent">
      <legend>{consent.pseudonym === '' ? `Person ${place + 1}` : <bdi>{consent.pseudonym}</bdi>}</legend>
      <div className="content-fields">
        <TextField {...text('pseudonym')} label="Pseudonym" autoComplete="off" />
        <TextField {...text('evidence')} label="Evidence of the consent" autoComplete="off" />
        <SelectField
          {...text('verifiedAdult')}
          label="Adult at production"
          options={Object.entries(adultNames).map(([value, label]) => ({ value, label }))}
          help="No is final: the entry can never be published."
          problem={problem('verifiedAdult') ?? problemOf(reasons, `consents.${place}`)}
        />
        <TextField
          {...text('validTo')}
          type={consent.validTo.includes('T') ? 'text' : 'date'}
          label="Valid until"
          autoComplete="off"
          help="The last day. Leave it empty for no end."
        />
      </div>
      <div className="content-ticks">
        <Checkbox {...tick('permitsPublication')} label="Agreed to publication" />
        <Checkbox {...tick('permitsDownload')} label="Agreed to downloads" />
      </div>
      {isWithdrawn ? <p className="field-problem">This consent was withdrawn.</p> : null}
      <FieldErrorText id={`${nameOf('isWithdrawn')}-problem`} problem={problem('isWithdrawn')} />
      <div className="work-steps">
        {stored === undefined
          ? null
          : isWithdrawn
            ? step('Record a new consent', () => onAsk('renew'))
            : step('Record a withdrawal', () => onAsk('withdraw'))}
        {isWithdrawn || stored?.verifiedAdult === 'no' ? null : (
          <Button look="quiet" label="Remove" about={` ${consent.pseudonym}`} isBusy={isSaving} onClick={onRemove} />
        )}
      </div>
    </fieldset>
  )
}

interface QuestionOfConsent {
  consent: ConsentValues
  item: ItemForAdmin
  /** @param part the consent as it is then. @param changed the entry as it is then */
  onRecorded: (part: Partial<ConsentValues>, changed: ItemForAdmin) => void
  onClose: () => void
}

const otherwise = 'Failed to update content. Please try again.'

function WithdrawDialog({ consent, item, onRecorded, onClose }: QuestionOfConsent) {
  return (
    <ConfirmDialog
      title="Has this person withdrawn their consent?"
      label="Record it"
      labelWhileSending="Noting..."
      isGrave
      otherwise={otherwise}
      act={async () => {
        const path = `/api/items/${item.id}/consents/${consent.id ?? ''}/withdraw`
        onRecorded({ isWithdrawn: true }, await requestAsAdmin(path, ItemForAdmin, { method: 'POST' }))
      }}
      onClose={onClose}
    >
      <p>
        The withdrawal of <bdi>{consent.pseudonym}</bdi> takes the entry off the site at once.
      </p>
    </ConfirmDialog>
  )
}

function RenewDialog({ consent, item, onRecorded, onClose }: QuestionOfConsent) {
  const form = useApiForm({
    defaults: { evidence: '' },
    async send({ evidence }) {
      const path = `/api/items/${item.id}/consents/${consent.id ?? ''}/renew`
      const body = { evidence, version: item.version }
      onRecorded({ evidence, isWithdrawn: false }, await requestAsAdmin(path, ItemForAdmin, { method: 'POST', body }))
    },
    otherwise,
  })
  return (
    <ActDialog
      title="Has this person consented again?"
      form={form}
      label="Record it"
      labelWhileSending="Noting..."
      onClose={onClose}
    >
      <p>
        The withdrawal of <bdi>{consent.pseudonym}</bdi> no longer counts. The entry stays off the site until it is
        published again.
      </p>
      <TextField {...form.field('evidence')} label="Evidence of the new consent" autoComplete="off" />
    </ActDialog>
  )
}
