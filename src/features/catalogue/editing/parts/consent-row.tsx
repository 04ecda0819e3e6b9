import type { ReactNode } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { FieldErrorText, TextField } from '../../../../ui/text-field.tsx'
import type { ItemForAdmin, Reason } from '../content-schema.ts'
import { adultNames } from './content-words.ts'
import type { ConsentValues } from './form-values.ts'
import { problemOf } from './problems.ts'

export function ConsentRow({
  consent,
  place,
  stored,
  reasons,
  onChange,
  onRemove,
  onAsk,
}: {
  consent: ConsentValues
  place: number
  /** As it is stored; undefined for a new one. */
  stored: ItemForAdmin['consents'][number] | undefined
  reasons: readonly Reason[]
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
    <Button label={label} about={` of ${consent.pseudonym}`} onClick={onClick} />
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
          <Button look="quiet" label="Remove" about={` ${consent.pseudonym}`} onClick={onRemove} />
        )}
      </div>
    </fieldset>
  )
}
