import { useRef, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { moneyInWords } from '../../plans/format-money.ts'
import { plans } from '../../plans/plans.ts'
import type { PaymentForMember } from '../../account/membership-schema.ts'
import { paymentInWords } from '../payment/payment-words.ts'
import './payments-list.css'

/** How many stand there at first: half a year of the monthly plan. */
const maxAtFirst = 6

/** The charges, the latest first. */
export function PaymentsList({ payments }: { payments: PaymentForMember[] }) {
  const [isWhole, setIsWhole] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  if (payments.length === 0) return null
  const shown = isWhole ? payments : payments.slice(0, maxAtFirst)
  const showAll = (): void => {
    setIsWhole(true)
    // The button goes.
    list.current?.focus()
  }
  return (
    <div className="payments-part">
      <h3>Payments</h3>
      <ul ref={list} className="payments" tabIndex={-1} aria-label="Payments">
        {shown.map((payment) => (
          <PaymentRow key={`${payment.invoicedAt} ${payment.number}`} payment={payment} />
        ))}
      </ul>
      {shown.length < payments.length ? (
        <div className="button-row account-steps">
          <Button label={`Show all ${payments.length} payments`} onClick={showAll} />
        </div>
      ) : null}
    </div>
  )
}

function PaymentRow({ payment }: { payment: PaymentForMember }) {
  const { number, planType, amountCents, currency, invoicedAt } = payment
  const { words, isBad } = paymentInWords(payment)
  return (
    <li>
      <time dateTime={invoicedAt}>{dayInWords(invoicedAt)}</time>
      <span className="payment-amount">{moneyInWords(amountCents, currency)}</span>
      <span className="payment-what">
        {plans[planType].name}
        {number === null ? null : <bdi>{number}</bdi>}
      </span>
      <span className={isBad ? 'payment-state is-bad' : 'payment-state'}>{words}</span>
    </li>
  )
}
