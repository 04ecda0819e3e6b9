import { DataTable } from '../../../../ui/data-table.tsx'
import { dayInWords } from '../../../../browser/format-instant.ts'
import type { PaymentForAdmin } from '../billing-schema.ts'
import { moneyInWords } from '../../plans/format-money.ts'
import type { MemberBilling } from '../billing-schema.ts'
import { paired } from './billing-beside.ts'
import { BillingSection } from './billing-section.tsx'
import { Differs } from './billing-state.tsx'
import { BillingValue } from './billing-value.tsx'
import { whatInWords } from './billing-words.ts'

const heads = ['Invoice', 'Invoiced', 'Plan', 'Amount', 'Refunded', 'State', 'Dispute', 'At Stripe'] as const

/** Every invoice of a member, and whether Stripe says the same of it. */
export function BillingPayments({ billing: { local, remote, differences } }: { billing: MemberBilling }) {
  const read = remote !== null && !('unavailable' in remote) ? remote : undefined
  const reviewedAt = new Map(local.payments.map(({ invoiceId, disputeReviewedAt }) => [invoiceId, disputeReviewedAt]))
  const rows = paired<PaymentForAdmin>(local.payments, read?.payments ?? [], ({ invoiceId }) => invoiceId)
  return (
    <BillingSection title="Payments">
      {rows.length === 0 ? (
        <p className="billing-empty">No invoices yet.</p>
      ) : (
        <DataTable label="Payments" heads={heads} figures={['Amount', 'Refunded']}>
          {rows.map(({ id, own, other }) => {
            const payment = own ?? other
            if (payment === undefined) return null
            const differing = differences.filter((one) => one.id === id && one.what.startsWith('payment'))
            return (
              <tr key={id} className={differing.length === 0 ? undefined : 'is-danger'}>
                <td title={id}>{payment.number ?? id}</td>
                <td>
                  <BillingValue value={payment.invoicedAt} />
                </td>
                <td>{payment.planType}</td>
                <td className="data-figure">{moneyInWords(payment.amountCents, payment.currency)}</td>
                <td className="data-figure">
                  {payment.refundedCents === 0 ? (
                    <span className="billing-nothing">none</span>
                  ) : (
                    moneyInWords(payment.refundedCents, payment.currency)
                  )}
                </td>
                <td>{payment.status}</td>
                <td>
                  <Dispute dispute={payment.dispute} reviewedAt={reviewedAt.get(id) ?? null} />
                </td>
                <td>
                  {read === undefined ? (
                    <span className="billing-nothing">not read</span>
                  ) : own === undefined ? (
                    <Differs>only at Stripe</Differs>
                  ) : other === undefined ? (
                    <span className="billing-nothing">no longer listed</span>
                  ) : differing.length === 0 ? (
                    'the same'
                  ) : (
                    <>
                      <Differs>differs</Differs>
                      {differing.map(({ what, remote }) => (
                        <span className="billing-aside" key={what}>
                          {' '}
                          {whatInWords(what).replace('Payment: ', '')} <BillingValue value={remote} isExact />
                        </span>
                      ))}
                    </>
                  )}
                </td>
              </tr>
            )
          })}
        </DataTable>
      )}
    </BillingSection>
  )
}

function Dispute({ dispute, reviewedAt }: { dispute: PaymentForAdmin['dispute']; reviewedAt: string | null }) {
  if (dispute === null) return <span className="billing-nothing">none</span>
  if (reviewedAt === null) return dispute
  return `${dispute}, reviewed on ${dayInWords(reviewedAt)}`
}
