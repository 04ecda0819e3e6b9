import type { PaymentForMember } from '../../account/membership-schema.ts'
import { moneyInWords } from '../../plans/format-money.ts'

/** The state of an invoice, in a word or two; `isBad` where its payer has something to do or was not served. */
export function paymentInWords({
  status,
  amountCents,
  refundedCents,
  currency,
}: Pick<PaymentForMember, 'status' | 'amountCents' | 'refundedCents' | 'currency'>): { words: string; isBad: boolean } {
  if (refundedCents > 0) {
    const isWhole = refundedCents >= amountCents
    return { words: isWhole ? 'Refunded' : `${moneyInWords(refundedCents, currency)} refunded`, isBad: false }
  }
  switch (status) {
    case 'paid':
      return { words: 'Paid', isBad: false }
    case 'open':
      return { words: 'Not paid yet', isBad: true }
    case 'uncollectible':
      return { words: 'Failed', isBad: true }
    case 'void':
      return { words: 'Void', isBad: false }
  }
}
