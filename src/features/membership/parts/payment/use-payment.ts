import { useEffect, useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { refetchAnswers, useApiQuery } from '../../../../browser/queries.ts'
import { checkAccess } from '../../../office/viewer/load-profile.ts'
import { CheckoutForMember } from '../../checkout/checkout-schema.ts'
import { membershipPath } from '../account/use-membership.ts'
import { followMs, maxUnanswered, newsIn, pauseBefore, type PaymentNews } from './payment-requests.ts'

/** `late`: still unconfirmed when the page stopped asking by itself. `unreachable`: several requests went unanswered. */
export type PaymentView = Exclude<PaymentNews, 'unanswered'> | 'late' | 'unreachable'

/** The requests that the page makes by itself, from its opening or from a further try on. */
interface Round {
  /** As `performance.now()` has it. */
  from: number
  /** Stands until more is known. */
  view: PaymentView
}

/** An answer, and when it came, as `performance.now()` has it. */
interface Answer extends CheckoutForMember {
  at: number
}

/**
 * The state of a payment, fetched until it is known (docs/spec/billing.md#success-page). When it gave a membership, the
 * header and the account page learn so too.
 */
export function usePayment(paymentId: string): { view: PaymentView; isFetching: boolean; tryAgain: () => void } {
  const [round, setRound] = useState<Round>(() => ({ from: performance.now(), view: 'confirming' }))
  const [made, setMade] = useState(0)
  const isOver = (answer: Answer | undefined): boolean => answer !== undefined && answer.at >= round.from + followMs
  const path = `/pay/session/${encodeURIComponent(paymentId)}`
  const query = useApiQuery<Answer>({
    path,
    fetch: async (token, signal) => {
      setMade((made) => made + 1)
      return { ...(await request(path, CheckoutForMember, { token, signal })), at: performance.now() }
    },
    refetchAfterMs: (answer, error) =>
      error === undefined && answer?.state === 'confirming' && !isOver(answer) ? pauseBefore(made) : false,
    retry: (failures, { status }) => failures + 1 < maxUnanswered && status !== 401 && status !== 404,
    retryDelay: (failures) => pauseBefore(failures + 1),
  })
  const { data, error, refetch } = query
  const news = newsIn(data, error)
  const isFollowing = news === 'confirming' && !isOver(data)
  const isFetching = query.isFetching || isFollowing
  const view = viewOf()

  const isActive = view === 'active'
  useEffect(() => {
    if (!isActive) return
    void checkAccess()
    refetchAnswers('/auth/dashboard', membershipPath)
  }, [isActive])

  const tryAgain = (): void => {
    setRound({ from: performance.now(), view })
    setMade(0)
    refetch()
  }

  const hasStopped = !isFetching && (view === 'late' || view === 'unreachable')
  useEffect(() => {
    if (!hasStopped) return
    const lookAgain = (): void => {
      if (document.visibilityState !== 'visible') return
      setRound({ from: performance.now(), view })
      setMade(0)
      refetch()
    }
    window.addEventListener('online', lookAgain)
    document.addEventListener('visibilitychange', lookAgain)
    return () => {
      window.removeEventListener('online', lookAgain)
      document.removeEventListener('visibilitychange', lookAgain)
    }
  }, [hasStopped, view, refetch])

  return { view, isFetching, tryAgain }

  function viewOf(): PaymentView {
    if (news === 'active' || news === 'failed') return news
    if (isFetching || isFollowing || news === undefined) return round.view
    if (news === 'unknown') return news
    return news === 'unanswered' ? 'unreachable' : 'late'
  }
}
