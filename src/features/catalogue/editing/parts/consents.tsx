import { useState } from 'react'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { FieldErrorText, TextField } from '../../../../ui/text-field.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { requestAsAdmin } from '../../../office/browser/request-as-admin.ts'
import { ItemForAdmin, type Reason } from '../content-schema.ts'
import { adultNames } from './content-words.ts'
import { type ConsentValues, newConsent } from './form-values.ts'
import { problemOf } from './problems.ts'

/** The consents of the people an item shows, one row each. */
export function Consents({
  consents,
  item,
  reasons,
  clientKey,
  onChange,
  onNoted,
}: {
  consents: readonly ConsentValues[]
  item: ItemForAdmin | undefined
  reasons: readonly Reason[]
  clientKey: string
  onChange: (consents: ConsentValues[]) => void
  /** A withdrawal, or a new consent, was recorded by a call of its own. */
  onNoted: (item: ItemForAdmin) => void
}) {
  const [withdrawing, setWithdrawing] = useState<ConsentValues>()
  const [renewing, setRenewing] = useState<ConsentValues>()
  const [evidence, setEvidence] = useState('')
  const change = (place: number, part: Partial<ConsentValues>): void =>
    onChange(consents.map((consent, at) => (at === place ? { ...consent, ...part } : consent)))
  const general = problemOf(reasons, 'consents')
  return (
    <div className="content-consents">
      {consents.map((consent, place) => {
        const stored = item?.consents.find(({ id }) => id === consent.id)
        const field = (name: string): string => `consents.${place}.${name}`
        const problem = (name: string): string | undefined => problemOf(reasons, field(name))
        return (
          // A new row has no id; rows are only added at the end and removed one by one.
          <fieldset key={consent.id ?? `new ${place}`} className="content-consent">
            <legend>{consent.pseudonym === '' ? `Person ${place + 1}` : <bdi>{consent.pseudonym}</bdi>}</legend>
            <div className="content-fields">
              <TextField
                name={field('pseudonym')}
                label="Pseudonym"
                autoComplete="off"
                value={consent.pseudonym}
                problem={problem('pseudonym')}
                onChange={(event) => change(place, { pseudonym: event.currentTarget.value })}
              />
              <TextField
                name={field('evidence')}
                label="Evidence of the consent"
                autoComplete="off"
                value={consent.evidence}
                problem={problem('evidence')}
                onChange={(event) => change(place, { evidence: event.currentTarget.value })}
              />
              <SelectField
                name={field('verifiedAdult')}
                label="Adult at production"
                options={Object.entries(adultNames).map(([value, label]) => ({ value, label }))}
                value={consent.verifiedAdult}
                help="No is final: the entry can never be published."
                problem={problem('verifiedAdult') ?? problemOf(reasons, `consents.${place}`)}
                onChange={(event) => change(place, { verifiedAdult: event.currentTarget.value })}
              />
              <TextField
                name={field('validTo')}
                type={consent.validTo.includes('T') ? 'text' : 'date'}
                label="Valid until"
                autoComplete="off"
                value={consent.validTo}
                help="The last day. Leave it empty for no end."
                problem={problem('validTo')}
                onChange={(event) => change(place, { validTo: event.currentTarget.value })}
              />
            </div>
            <div className="content-ticks">
              <Checkbox
                name={field('permitsPublication')}
                label="Agreed to publication"
                checked={consent.permitsPublication}
                onChange={(event) => change(place, { permitsPublication: event.currentTarget.checked })}
              />
              <Checkbox
                name={field('permitsDownload')}
                label="Agreed to downloads"
                checked={consent.permitsDownload}
                onChange={(event) => change(place, { permitsDownload: event.currentTarget.checked })}
              />
            </div>
            {stored?.withdrawnAt === null || stored === undefined ? null : (
              <p className="field-problem">This consent was withdrawn.</p>
            )}
            <FieldErrorText id={`${field('isWithdrawn')}-problem`} problem={problem('isWithdrawn')} />
            <div className="content-steps">
              {stored?.withdrawnAt === null ? (
                <button type="button" className="button" onClick={() => setWithdrawing(consent)}>
                  Note a withdrawal
                  <span className="sr-only">{` of ${consent.pseudonym}`}</span>
                </button>
              ) : stored === undefined ? null : (
                <button
                  type="button"
                  className="button"
                  onClick={() => {
                    setEvidence('')
                    setRenewing(consent)
                  }}
                >
                  Note a new consent
                  <span className="sr-only">{` of ${consent.pseudonym}`}</span>
                </button>
              )}
              {stored !== undefined && (stored.verifiedAdult === 'no' || stored.withdrawnAt !== null) ? null : (
                <button
                  type="button"
                  className="button button-quiet"
                  onClick={() => onChange(consents.filter((_, at) => at !== place))}
                >
                  Remove
                  <span className="sr-only">{` ${consent.pseudonym}`}</span>
                </button>
              )}
            </div>
          </fieldset>
        )
      })}
      <FieldErrorText id="consents-problem" problem={general} />
      <button
        type="button"
        className="button"
        name="consents"
        data-problem={general !== undefined}
        aria-describedby="consents-problem"
        onClick={() => onChange([...consents, newConsent])}
      >
        Add a person
      </button>
      {withdrawing === undefined || item === undefined ? null : (
        <ConfirmDialog
          title="Has this person withdrawn their consent?"
          label="Note it"
          labelWhileSending="Noting..."
          isGrave
          otherwise="Failed to update content. Please try again."
          act={async () => {
            const path = `/api/items/${item.id}/consents/${withdrawing.id ?? ''}/withdraw`
            const changed = await requestAsAdmin(path, ItemForAdmin, { method: 'POST', clientKey })
            onChange(consents.map((one) => (one.id === withdrawing.id ? { ...one, isWithdrawn: true } : one)))
            setWithdrawing(undefined)
            onNoted(changed)
          }}
          onClose={() => setWithdrawing(undefined)}
        >
          <p>
            The withdrawal of <bdi>{withdrawing.pseudonym}</bdi> takes the entry off the site at once.
          </p>
        </ConfirmDialog>
      )}
      {renewing === undefined || item === undefined ? null : (
        <ConfirmDialog
          title="Has this person consented anew?"
          label="Note it"
          labelWhileSending="Noting..."
          otherwise="Failed to update content. Please try again."
          act={async () => {
            const path = `/api/items/${item.id}/consents/${renewing.id ?? ''}/renew`
            const changed = await requestAsAdmin(path, ItemForAdmin, {
              method: 'POST',
              clientKey,
              body: { evidence, version: item.version },
            })
            onChange(consents.map((one) => (one.id === renewing.id ? { ...one, evidence, isWithdrawn: false } : one)))
            setRenewing(undefined)
            onNoted(changed)
          }}
          onClose={() => setRenewing(undefined)}
        >
          <p>
            The withdrawal of <bdi>{renewing.pseudonym}</bdi> counts no longer. The entry stays off the site until it is
            published again.
          </p>
          <TextField
            name="new-evidence"
            label="Evidence of the new consent"
            autoComplete="off"
            value={evidence}
            onChange={(event) => setEvidence(event.currentTarget.value)}
          />
        </ConfirmDialog>
      )}
    </div>
  )
}
