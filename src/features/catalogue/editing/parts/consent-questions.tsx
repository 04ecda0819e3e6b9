import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { requestAsAdmin } from '../../../office/browser/request-as-admin.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { ItemForAdmin } from '../content-schema.ts'
import type { ConsentValues } from './form-values.ts'

interface QuestionOfConsent {
  consent: ConsentValues
  item: ItemForAdmin
  /** @param part the consent as it is then. @param changed the entry as it is then */
  onRecorded: (part: Partial<ConsentValues>, changed: ItemForAdmin) => void
  onClose: () => void
}

const otherwise = 'Failed to update content. Please try again.'

export function WithdrawDialog({ consent, item, onRecorded, onClose }: QuestionOfConsent) {
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

export function RenewDialog({ consent, item, onRecorded, onClose }: QuestionOfConsent) {
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
