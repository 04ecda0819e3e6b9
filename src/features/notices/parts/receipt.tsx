import { useEffect } from 'react'
import { ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type NoticeForm } from '../intake/notice-forms.ts'
import { whatHappens } from '../intake/what-happens.ts'
import type { Receipt } from '../intake/read-receipt.server.ts'
import { elementLabel } from '../notice/notice-elements.ts'
import './notices.css'
import { dropTabDraft } from '../../../browser/tab-draft.ts'

export function ReceiptCard({ receipt, form, publicUrl }: { receipt: Receipt; form: NoticeForm; publicUrl: string }) {
  const { reference, kind, missing, trackingPath, email, sentTo } = receipt
  const isComplete = missing.length === 0
  useEffect(() => dropTabDraft(form), [form])
  return (
    <div className="receipt">
      <Notice tone={isComplete ? 'done' : 'calm'}>
        <p>
          {isComplete
            ? 'Your notice has arrived and is complete.'
            : 'Your notice has arrived, but something that the law asks for is missing.'}
        </p>
      </Notice>
      <section aria-labelledby="reference">
        <h2 id="reference">Your reference</h2>
        <p className="receipt-reference">{reference}</p>
      </section>
      <section aria-labelledby="then">
        <h2 id="then">What happens now</h2>
        <p>{whatHappens(kind, isComplete)}</p>
      </section>
      {isComplete ? null : (
        <section aria-labelledby="missing">
          <h2 id="missing">What is missing</h2>
          <ul className="receipt-missing">
            {missing.map((name) => (
              <li key={name}>{elementLabel(kind, name)}</li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="keep">
        <h2 id="keep">Your private page</h2>
        <p>
          Save this address. There you can see what happens, add information, and read our decision. Do not share it.
        </p>
        <p className="receipt-address">{`${publicUrl}${trackingPath}`}</p>
        <div>
          <ButtonLink
            look="solid"
            label={isComplete ? 'Open your private page' : 'Add what is missing'}
            to={trackingPath}
            reloadDocument
          />
        </div>
      </section>
      <p className="quiet-label">{emailSentence(email, sentTo)}</p>
    </div>
  )
}

function emailSentence(email: Receipt['email'], sentTo = ''): string {
  switch (email) {
    case 'sent':
      return `We are sending the reference and this address to ${sentTo}.`
    case 'withheld':
      return `We have already sent many emails to ${sentTo} this hour, so we send none about this notice. Save the address above.`
    case 'none':
      return 'You gave no email address, so we cannot email you. Save the address above.'
  }
}
