import { TextLink } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import type { DriftForAdmin, DriftReport } from '../billing-schema.ts'
import { Moment } from '../../../../browser/moment.tsx'
import type { ApiQuery } from '../../../../browser/queries.ts'
import { useAnsweredAt } from '../../../../browser/use-answered-at.ts'
import { BillingMode } from './billing-mode.tsx'
import { Reconcile, Runs } from './billing-runs.tsx'
import { BillingSection } from './billing-section.tsx'
import { BillingValue } from './billing-value.tsx'
import { driftSentence, outcomes, whatInWords } from './billing-words.ts'
import { UserText } from '../../../office/parts/user-text.tsx'

/** How equal we are to Stripe: the state in one sentence, the way to compare now, and what was found. */
export function BillingDrift({
  report,
  query,
}: {
  report: DriftReport
  query: Pick<ApiQuery<DriftReport>, 'isFetching' | 'refetch' | 'error'>
}) {
  const { runs, drifts, counts, waitingEvents, ignored, threshold, isAboveThreshold, unknownPrices } = report
  const now = useAnsweredAt(report)
  const lastRun = runs.find(({ state }) => state === 'finished')
  return (
    <BillingSection title="In sync with Stripe">
      <BillingMode {...report.payments} />
      <p className="billing-state">{driftSentence(report)}</p>
      <p className="billing-aside">
        {lastRun === undefined ? null : (
          <>
            Last compared <Moment at={lastRun.finishedAt ?? lastRun.startedAt} now={now} />.{' '}
          </>
        )}
        {`${counted(counts.last30d, 'difference')} in 30 days; up to ${threshold.toLocaleString('en-US')} in 24 hours is normal.`}
      </p>
      {report.settingsFault === null ? null : (
        <Notice tone="failed">
          <p>Nothing is sold: {report.settingsFault}</p>
        </Notice>
      )}
      {unknownPrices.map(({ price, count }) => (
        <Notice key={price} tone="failed">
          <p>
            {`${counted(count, 'member')} ${count === 1 ? 'pays' : 'pay'} a price that is not in the settings: `}
            <code>{price}</code>. Access stays. Add it to STRIPE_PRICE_MONTHLY or STRIPE_PRICE_ANNUAL.
          </p>
        </Notice>
      ))}
      {isAboveThreshold ? (
        <Notice tone="failed">
          <p>More differences than usual were found in the last 24 hours.</p>
          <p>Check the webhook's deliveries at Stripe, and the log.</p>
        </Notice>
      ) : null}
      {counts.unhealed > 0 ? (
        <Notice tone="failed">
          <p>
            {counts.unhealed === 1
              ? 'One difference this week could not be fixed automatically. It is marked below.'
              : `${counted(counts.unhealed, 'difference')} this week could not be fixed automatically. They are marked below.`}
          </p>
        </Notice>
      ) : null}
      <WaitingEvents waiting={waitingEvents} now={now} />
      <Reconcile runs={runs} query={query} />

      <h3>Comparisons</h3>
      {runs.length === 0 ? <p className="billing-empty">None yet.</p> : <Runs runs={runs} now={now} />}
      <h3>Differences found</h3>
      {drifts.length === 0 ? (
        <p className="billing-empty">None: every change arrived as an event.</p>
      ) : (
        <Drifts drifts={drifts} now={now} />
      )}
      <h3>Ignored events of the last 30 days</h3>
      {ignored.length === 0 ? (
        <p className="billing-empty">None.</p>
      ) : (
        <dl className="billing-counts">
          {ignored.map(({ outcome, count }) => (
            <div key={outcome}>
              <dt>{outcomes[outcome] ?? outcome.replaceAll('_', ' ')}</dt>
              <dd>{count.toLocaleString('en-US')}</dd>
            </div>
          ))}
        </dl>
      )}
    </BillingSection>
  )
}

/** An event that waits for longer than this waits for something. */
const waitsLongMs = 10 * 60_000

function WaitingEvents({ waiting, now }: { waiting: DriftReport['waitingEvents']; now: number }) {
  const { count, oldestReceivedAt } = waiting
  if (oldestReceivedAt === null) return null
  const words = (
    <p>
      {`${counted(count, 'event')} from Stripe ${count === 1 ? 'waits' : 'wait'} to be processed, the oldest since `}
      <Moment at={oldestReceivedAt} now={now} />.
    </p>
  )
  const isLong = now - Date.parse(oldestReceivedAt) > waitsLongMs
  return isLong ? <Notice tone="failed">{words}</Notice> : <div className="billing-aside">{words}</div>
}

const driftHeads = ['Found', 'Member', 'What', 'We had', 'Stripe had'] as const

function Drifts({ drifts, now }: { drifts: DriftForAdmin[]; now: number }) {
  return (
    <DataTable label="Differences found" heads={driftHeads}>
      {drifts.map(({ id, member, subscriptionId, what, local, remote, isHealed, changedAt }) => (
        <tr key={id} className={isHealed ? undefined : 'is-danger'}>
          <td>
            <Moment at={changedAt} now={now} />
          </td>
          <td>
            {member === null ? (
              <span className="billing-nothing">{isHealed ? 'deleted account' : 'not a member'}</span>
            ) : (
              <TextLink to={`/admin/billing/${member.id}`} title={member.email}>
                <UserText>{member.name}</UserText>
              </TextLink>
            )}
          </td>
          <td title={subscriptionId ?? undefined}>
            {whatInWords(what)}
            {isHealed ? null : (
              <>
                {' '}
                <span className="accent-banned">
                  <Badge>not fixed</Badge>
                </span>
              </>
            )}
          </td>
          <td>
            <BillingValue value={local} isExact />
          </td>
          <td>
            <BillingValue value={remote} isExact />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
