import { type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import { dayInWords, timeInWords } from '../../../../browser/format-instant.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { request } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import {
  MemberBilling,
  SyncedMemberBilling,
  type BillingChangeForAdmin,
  type StripeEventForAdmin,
} from '../billing-schema.ts'
import { BillingMode } from './billing-mode.tsx'
import { BillingPayments } from './billing-payments.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { memberBillingPath } from './billing-paths.ts'
import { BillingState } from './billing-state.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { BillingSection } from './billing-section.tsx'
import { Moment } from '../../../../browser/moment.tsx'
import { BillingValue } from './billing-value.tsx'
import { causes, outcomes, whatInWords } from './billing-words.ts'

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

/** Asks once more before a member who has lost a dispute may buy again. */
function BillingReviewDialog({
  member,
  onReviewed,
  onClose,
}: {
  member: MemberBilling['member']
  onReviewed: (billing: MemberBilling) => void
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      title="Allow purchases again"
      label="Allow purchases"
      labelWhileSending="Allowing..."
      otherwise="An error occurred. Please try again."
      act={async () =>
        onReviewed(await request(`${memberBillingPath(member.id)}/review`, MemberBilling, { method: 'POST' }))
      }
      onClose={onClose}
    >
      <p className="billing-lead">
        A payment of <UserText>{member.name}</UserText> (<UserText>{member.email}</UserText>) was disputed, and the bank
        returned it. All lost disputes of this member now count as reviewed, and they can buy a plan again.
      </p>
    </ConfirmDialog>
  )
}

const eventHeads = ['Received', 'Type', 'Created at Stripe', 'Outcome'] as const
const changeHeads = ['Changed', 'What', 'We had', 'Stripe had', 'Seen by'] as const

/** The last events that Stripe has sent about a member. */
function BillingEvents({ events, now }: { events: StripeEventForAdmin[]; now: number }) {
  return (
    <BillingSection title="Latest events">
      {events.length === 0 ? (
        <p className="billing-empty">No events from Stripe yet.</p>
      ) : (
        <DataTable label="Latest events" heads={eventHeads}>
          {events.map(({ id, type, createdAt, receivedAt, handledAt, outcome }) => (
            <tr key={id} className={handledAt === null ? 'is-danger' : undefined}>
              <td>
                <Moment at={receivedAt} now={now} />
              </td>
              <td title={id}>
                <code>{type}</code>
              </td>
              <td>
                <BillingValue value={createdAt} isExact />
              </td>
              <td>{outcome === null ? 'waits' : (outcomes[outcome] ?? outcome)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </BillingSection>
  )
}

/** The changes of a member's state, and their causes. */
function BillingChanges({ changes, now }: { changes: BillingChangeForAdmin[]; now: number }) {
  return (
    <BillingSection title="Latest changes">
      {changes.length === 0 ? (
        <p className="billing-empty">Nothing has changed yet.</p>
      ) : (
        <DataTable label="Latest changes" heads={changeHeads}>
          {changes.map(({ id, subscriptionId, cause, isDrift, what, local, remote, changedAt }) => (
            <tr key={id}>
              <td>
                <Moment at={changedAt} now={now} />
              </td>
              <td title={subscriptionId ?? undefined}>{whatInWords(what)}</td>
              <td>
                <BillingValue value={local} isExact />
              </td>
              <td>
                <BillingValue value={remote} isExact />
              </td>
              <td>
                {causes[cause] ?? cause}
                {isDrift ? ', as drift' : ''}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </BillingSection>
  )
}
