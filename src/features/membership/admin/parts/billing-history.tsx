import { DataTable } from '../../../../ui/data-table.tsx'
import type { BillingChangeForAdmin, StripeEventForAdmin } from '../billing-schema.ts'
import { BillingSection } from './billing-section.tsx'
import { Moment } from '../../../../browser/moment.tsx'
import { BillingValue } from './billing-value.tsx'
import { causes, outcomes, whatInWords } from './billing-words.ts'

const eventHeads = ['Received', 'Type', 'Created at Stripe', 'Outcome'] as const
const changeHeads = ['Changed', 'What', 'We had', 'Stripe had', 'Seen by'] as const

/** The last events that Stripe has sent about a member. */
export function BillingEvents({ events, now }: { events: StripeEventForAdmin[]; now: number }) {
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
export function BillingChanges({ changes, now }: { changes: BillingChangeForAdmin[]; now: number }) {
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
