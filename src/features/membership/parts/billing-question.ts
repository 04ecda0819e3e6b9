import { useCallback, useEffect, useState } from 'react'
import { callApi, checkAccess, NetworkError, sentenceOf } from '../../accounts/call-api.ts'
import { networkRefusal } from '../../accounts/parts/use-submission.ts'

/** Why a call gave nothing. */
export interface BillingRefusal {
  /** Undefined when no answer came. */
  status: number | undefined
  sentence: string
}

export type BillingOutcome<T> = { answer: T } | { refusal: BillingRefusal }

/** One of the calls of administrators. Whoever is an administrator no longer finds the door shut. */
export async function askBilling<T extends object>(
  path: string,
  { method = 'GET', signal }: { method?: 'GET' | 'POST'; signal?: AbortSignal } = {},
): Promise<BillingOutcome<T>> {
  try {
    const reply = await callApi(path, { method, ...(signal === undefined ? {} : { signal }) })
    if (reply.status === 403) void checkAccess()
    // Something between here and the server may answer in its place, with a page of its own.
    if (reply.ok && typeof reply.data === 'object' && reply.data !== null) return { answer: reply.data as T }
    const sentence = sentenceOf(reply) ?? 'An error occurred. Please try again.'
    return { refusal: { status: reply.ok ? undefined : reply.status, sentence } }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { refusal: { status: undefined, sentence: networkRefusal.message } }
  }
}

export interface BillingQuestion<T> {
  /** The last answer; it may be to an earlier question while another is under way, or when that failed. */
  answer: T | undefined
  /** Why there is no answer to this question. */
  refusal: BillingRefusal | undefined
  isAsking: boolean
  askAgain: () => void
  /** Takes what another call has told in this one's place. */
  replace: (answer: T) => void
}

/**
 * What a call answers, alive: another path is another question, and a connection that comes back asks again.
 * @param path also the identity of what is asked for
 */
export function useBillingQuestion<T extends object>(path: string): BillingQuestion<T> {
  const [attempt, setAttempt] = useState(0)
  const [answer, setAnswer] = useState<T>()
  const [refused, setRefused] = useState<BillingRefusal>()
  const [answered, setAnswered] = useState<string>()
  const question = `${attempt} ${path}`

  useEffect(() => {
    const overtaken = new AbortController()
    const ask = async (): Promise<void> => {
      const outcome = await askBilling<T>(path, { signal: overtaken.signal })
      if (overtaken.signal.aborted) return
      setAnswered(question)
      if ('answer' in outcome) setAnswer(outcome.answer)
      setRefused('refusal' in outcome ? outcome.refusal : undefined)
    }
    void ask()
    return () => overtaken.abort()
  }, [path, question])

  const askAgain = useCallback(() => setAttempt((attempts) => attempts + 1), [])
  const replace = useCallback((told: T) => {
    setAnswer(told)
    setRefused(undefined)
  }, [])

  const isCutOff = refused !== undefined && refused.status === undefined
  useEffect(() => {
    if (!isCutOff) return
    window.addEventListener('online', askAgain)
    return () => window.removeEventListener('online', askAgain)
  }, [isCutOff, askAgain])

  return { answer, refusal: refused, isAsking: answered !== question, askAgain, replace }
}
