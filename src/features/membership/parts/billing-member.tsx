import { useEffect, useRef, useState } from 'react'
import { dayInWords, timeInWords } from '../../accounts/instant-words.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import type { MemberBilling } from '../read-member-billing.server.ts'
import { BillingChanges, BillingEvents } from './billing-history.tsx'
import { BillingMode } from './billing-mode.tsx'
import { BillingPayments } from './billing-payments.tsx'
import { askBilling } from './billing-question.ts'
import { BillingReviewDialog } from './billing-review-dialog.tsx'
import { BillingState } from './billing-state.tsx'
import { counted } from './billing-words.ts'

interface Told {
  tone: 'done' | 'failed' | 'calm'
  sentence: string
}

/**
 * One member's billing: why he is VIP or not, our state beside Stripe's, and how it came to be so.
 * @param onTold takes what an act of the administrator has answered
 */
export function BillingMember({
  billing,
  onTold,
}: {
  billing: MemberBilling
  onTold: (billing: MemberBilling) => void
}) {
  const { member, standing, isBlocked, events, changes, payments } = billing
  const [isSyncing, setIsSyncing] = useState(false)
  const [isReviewing, setIsReviewing] = useState(false)
  const [told, setTold] = useState<Told>()
  const [now, setNow] = useState(() => Date.now())
  const heading = useRef<HTMLHeadingElement>(null)

  // The button that led to the dialog has gone with what it was for.
  const wasBlocked = useRef(isBlocked)
  useEffect(() => {
    if (wasBlocked.current && !isBlocked && document.activeElement === document.body) heading.current?.focus()
    wasBlocked.current = isBlocked
  }, [isBlocked])

  const take = (answer: MemberBilling): void => {
    setNow(Date.now())
    onTold(answer)
  }

  const sync = async (): Promise<void> => {
    setIsSyncing(true)
    setTold(undefined)
    const path = `/api/billing/members/${member.id}/sync`
    const outcome = await askBilling<MemberBilling & { changed: number }>(path, { method: 'POST' })
    setIsSyncing(false)
    if ('refusal' in outcome) {
      setTold({ tone: 'failed', sentence: outcome.refusal.sentence })
      return
    }
    take(outcome.answer)
    setTold(syncTold(outcome.answer))
  }

  return (
    <>
      <header className="billing-head">
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{member.name}</bdi>
        </h1>
        <p className="billing-aside">
          <bdi>{member.email}</bdi>, member since{' '}
          <time dateTime={member.createdAt} title={timeInWords(member.createdAt)}>
            {dayInWords(member.createdAt)}
          </time>
        </p>
        <BillingMode {...payments} />
      </header>
      <div className={standing.isVip ? 'billing-why accent-vip' : 'billing-why'}>
        {standing.isVip ? <Badge icon="crown">VIP</Badge> : null}
        <p>{standing.sentence}</p>
      </div>
      {isBlocked ? (
        <Notice tone="failed">
          <p>This member cannot buy: a dispute was lost, and nobody has looked at it yet.</p>
        </Notice>
      ) : null}
      <div className="billing-steps">
        <button
          type="button"
          className="button button-solid"
          aria-disabled={isSyncing}
          onClick={() => {
            if (!isSyncing) void sync()
          }}
        >
          {isSyncing ? <span className="spinner" aria-hidden="true" /> : null}
          {isSyncing ? 'Syncing...' : 'Re-sync now'}
        </button>
        {isBlocked ? (
          <button type="button" className="button" aria-haspopup="dialog" onClick={() => setIsReviewing(true)}>
            Allow purchases again
          </button>
        ) : null}
      </div>
      <Announced>{told === undefined ? null : <Notice tone={told.tone}>{told.sentence}</Notice>}</Announced>
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
            setTold({ tone: 'done', sentence: 'This member may buy again.' })
          }}
          onClose={() => setIsReviewing(false)}
        />
      ) : null}
    </>
  )
}

function syncTold({ stripes, changed }: MemberBilling & { changed: number }): Told {
  if (changed > 0) {
    return { tone: 'done', sentence: `${counted(changed, 'difference')} ${changed === 1 ? 'was' : 'were'} healed.` }
  }
  if (stripes === null) return { tone: 'calm', sentence: 'There is no customer at Stripe: nothing to compare.' }
  if ('unavailable' in stripes) return { tone: 'failed', sentence: stripes.unavailable }
  return { tone: 'done', sentence: 'Nothing had to be changed.' }
}
