import { useId } from 'react'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { MessageNotice } from '../payment/message-notice.tsx'
import type { Portal } from './use-portal.ts'

/** The button that opens the billing portal. Its messages appear in a `PortalNews`, which a page has once. */
export function ManageSubscription({ portal, className = 'button' }: { portal: Portal; className?: string }) {
  const id = useId()
  return (
    <>
      <button
        type="button"
        className={className}
        aria-disabled={portal.isOpening}
        aria-describedby={id}
        onClick={portal.open}
      >
        {portal.isOpening ? 'Opening...' : 'Manage Subscription'}
      </button>
      <span id={id} hidden>
        Opens the billing portal in a new tab.
      </span>
    </>
  )
}

/** How opening the portal went, where it did not just open. */
export function PortalNews({ portal: { message, address } }: { portal: Portal }) {
  return (
    <Announced>
      {message === undefined ? null : <MessageNotice message={message} />}
      {address === undefined ? null : (
        <Notice tone="calm">
          <p>The browser allowed no new tab.</p>
          <p>
            <a className="text-link" href={address} target="_blank" rel="noopener noreferrer">
              Open the billing portal
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          </p>
        </Notice>
      )}
    </Announced>
  )
}
