import { useCallback, useEffect, useState } from 'react'
import { callApi, checkAccess, NetworkError, type Reply } from '../../accounts/call-api.ts'
import { mostUnanswered, newsIn, patienceMs, pauseBefore, type PaymentNews } from './payment-questions.ts'

/** `late`: still unconfirmed when the page stopped asking by itself. `unreachable`: several questions went unanswered. */
export type PaymentView = Exclude<PaymentNews, 'unanswered'> | 'late' | 'unreachable'

/**
 * What has become of a payment, asked for until it is known (BILLING.md, "Checkout", 4). When it gave a membership, the
 * header learns so too.
 * @param token the session's; undefined asks nothing
 */
export function usePayment(
  token: string | undefined,
  paymentId: string | null,
): { view: PaymentView; isAsking: boolean; tryAgain: () => void } {
  const [view, setView] = useState<PaymentView>('confirming')
  const [attempt, setAttempt] = useState(0)
  const [answered, setAnswered] = useState<number>()
  const tryAgain = useCallback(() => setAttempt((attempts) => attempts + 1), [])

  useEffect(() => {
    if (token === undefined || paymentId === null) return
    const left = new AbortController()
    const watch = async (): Promise<void> => {
      const end = await follow(paymentId, left.signal)
      if (left.signal.aborted) return
      if (end === 'active') void checkAccess()
      setView(end)
      setAnswered(attempt)
    }
    void watch()
    return () => left.abort()
  }, [token, paymentId, attempt])

  const isAsking = answered !== attempt
  const hasStopped = !isAsking && (view === 'late' || view === 'unreachable')
  useEffect(() => {
    if (!hasStopped) return
    const lookAgain = (): void => {
      if (document.visibilityState === 'visible') tryAgain()
    }
    window.addEventListener('online', lookAgain)
    document.addEventListener('visibilitychange', lookAgain)
    return () => {
      window.removeEventListener('online', lookAgain)
      document.removeEventListener('visibilitychange', lookAgain)
    }
  }, [hasStopped, tryAgain])

  return { view, isAsking, tryAgain }
}

/** Asks until something is certain, or until there is no point in asking on. */
async function follow(paymentId: string, signal: AbortSignal): Promise<PaymentView> {
  const end = performance.now() + patienceMs
  let unanswered = 0
  for (let question = 0; performance.now() < end && !signal.aborted; question += 1) {
    await pause(pauseBefore(question), signal)
    const news = newsIn(await ask(paymentId, signal))
    if (news !== 'confirming' && news !== 'unanswered') return news
    unanswered = news === 'unanswered' ? unanswered + 1 : 0
    if (unanswered === mostUnanswered) return 'unreachable'
  }
  return 'late'
}

/** @returns undefined when no answer came */
async function ask(paymentId: string, signal: AbortSignal): Promise<Reply | undefined> {
  try {
    return await callApi(`/pay/session/${encodeURIComponent(paymentId)}`, { signal })
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}

/** Ends early when the page is left. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((wake) => {
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      wake()
    })
  })
}
