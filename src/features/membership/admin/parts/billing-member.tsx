import { type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import { dayInWords, timeInWords } from '../../../../browser/format-instant.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { request } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { type MemberBilling, SyncedMemberBilling } from '../billing-schema.ts'
import { BillingChanges, BillingEvents } from './billing-history.tsx'
import { BillingMode } from './billing-mode.tsx'
import { BillingPayments } from './billing-payments.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { memberBillingPath } from './billing-paths.ts'
import { BillingReviewDialog } from './billing-review-dialog.tsx'
import { BillingState } from './billing-state.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'

interface Message {
  tone: 'done' | 'failed' | 'calm'
  sentence: string
}

/**
 * One member's billing: why they are VIP or not, our state beside Stripe's, and the events that led there.
 * @param onMessage takes what an act of the administrator has answered
 */
export function BillingMember({
  billing,
  heading,
  onMessage,
}: {
  billing: MemberBilling
  /** That of the page, which takes the focus once the act on a dispute is over. */
  heading: RefObject<HTMLElement | null>
  onMessage: (billing: MemberBilling) => void
}) {
  const { member, accessStatus, isBlocked, events, changes } = billing
  const [isReviewing, setIsReviewing] = useState(false)
  const [message, setMessage] = useState<Message>()
  const [now, setNow] = useState(() => Date.now())

  // The button that led to the dialog has gone with what it was for.
  const wasBlocked = useRef(isBlocked)
  useEffect(() => {
    if (wasBlocked.current && !isBlocked && document.activeElement === document.body) heading.current?.focus()
    wasBlocked.current = isBlocked
  }, [heading, isBlocked])

  const take = (answer: MemberBilling): void => {
    setNow(Date.now())
    onMessage(answer)
  }

  const sync = useApiMutation({
    mutationFn: () => request(`${memberBillingPath(member.id)}/sync`, SyncedMemberBilling, { method: 'POST' }),
    onSuccess: ({ changed, ...answer }) => {
      take(answer)
      setMessage(syncMessage(answer, changed))
    },
    onError: (error) => {
      recheckAccess(error)
      setMessage({ tone: 'failed', sentence: error.message })
    },
  })

  return (
    <>
      <div className={accessStatus.isVip ? 'billing-why accent-vip' : 'billing-why'}>
        {accessStatus.isVip ? <Badge icon="crown">VIP</Badge> : null}
        <p>{accessStatus.sentence}</p>
      </div>
      {isBlocked ? (
        <Notice tone="failed">
          <p>
            This member cannot buy: they, or a deleted account with their address, had a dispute that nobody has
            reviewed yet.
          </p>
        </Notice>
      ) : null}
      <UnknownPrices billing={billing} />
      <div className="button-row billing-steps">
        <button
          type="button"
          className="button button-solid"
          aria-disabled={sync.isPending}
          onClick={() => {
            if (sync.isPending) return
            setMessage(undefined)
            sync.mutate()
          }}
        >
          {sync.isPending ? <span className="spinner" aria-hidden="true" /> : null}
          {sync.isPending ? 'Syncing...' : 'Re-sync now'}
        </button>
        {isBlocked ? (
          <Button label="Allow purchases again" aria-haspopup="dialog" onClick={() => setIsReviewing(true)} />
        ) : null}
      </div>
      <Announced>{message === undefined ? null : <Notice tone={message.tone}>{message.sentence}</Notice>}</Announced>
      <BillingState billing={billing} now={now} />
      <BillingPayments billing={billing} />
      <BillingEvents events={events} now={now} />
      <BillingChanges changes={changes} now={now} />
      {isReviewing ? (
        <BillingReviewDialog
          member={member}
          onReviewed={(answer) => {
            setIsReviewing(false)
            take(answer)
            setMessage({ tone: 'done', sentence: 'This member can buy again.' })
          }}
          onClose={() => setIsReviewing(false)}
        />
      ) : null}
    </>
  )
}

/** The member, and whether real money moves. */
export function BillingLead({ member, payments }: Pick<MemberBilling, 'member' | 'payments'>) {
  return (
    <>
      <UserText>{member.email}</UserText>, member since{' '}
      <time dateTime={member.createdAt} title={timeInWords(member.createdAt)}>
        {dayInWords(member.createdAt)}
      </time>
      {payments.isLive ? null : (
        <>
          <br />
          <BillingMode {...payments} />
        </>
      )}
    </>
  )
}

/** Prices of their subscriptions that the settings do not name. */
function UnknownPrices({ billing }: { billing: MemberBilling }) {
  return billing.local.subscriptions
    .filter(({ unknownPrice }) => unknownPrice !== null)
    .map(({ stripeId, unknownPrice }) => (
      <Notice key={stripeId} tone="failed">
        <p>
          The settings do not name the price <code>{unknownPrice}</code> of <code>{stripeId}</code>: it stays unchanged.
        </p>
      </Notice>
    ))
}

function syncMessage({ remote }: MemberBilling, changed: number): Message {
  if (changed > 0) {
    return { tone: 'done', sentence: `${counted(changed, 'difference')} ${changed === 1 ? 'was' : 'were'} fixed.` }
  }
  if (remote === null) return { tone: 'calm', sentence: 'There is no customer at Stripe: nothing to compare.' }
  if ('unavailable' in remote) return { tone: 'failed', sentence: remote.unavailable }
  return { tone: 'done', sentence: 'Everything matched.' }
}
