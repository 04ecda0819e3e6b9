import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { callApi, NetworkError } from '../../../../browser/api-client.ts'
import { useLater } from '../../../../ui/use-later.ts'
import { wayTo } from '../../../accounts/parts/auth-links.ts'
import { current, useSession } from '../../../../browser/session-store.ts'
import { signOut } from '../../../accounts/browser/sign-out.ts'
import type { PlanType } from '../../plans/plans.ts'
import { plansPath } from '../../plans/plans-path.ts'
import { type CheckoutOutcome, checkoutOutcome, unansweredCheckout } from './payment-replies.ts'

export type CheckoutError = { plan: PlanType } & Extract<CheckoutOutcome, { kind: 'subscribed' | 'refused' }>

export interface Checkout {
  /** False while it is not known yet whether somebody has signed in. */
  isReady: boolean
  underWay: PlanType | undefined
  checkoutError: CheckoutError | undefined
  buy(plan: PlanType): void
}

/** A page that does not come within this time is not on its way any more: the visitor has stopped it. */
const leaveMs = 15_000

/**
 * Leads to the payment page, once, however often it is clicked. A visitor without an account is sent to register, a
 * member without a session to sign in; both come back to the plan that they chose
 * (docs/spec/pages.md#checkout-redirects).
 */
export function useCheckout(): Checkout {
  const { isSettled, session } = useSession()
  const navigate = useNavigate()
  const later = useLater()
  const [underWay, setUnderWay] = useState<PlanType>()
  const [checkoutError, setCheckoutError] = useState<CheckoutError>()
  /** The call under way. The state is a render too late for the second of two clicks. */
  const call = useRef<AbortController>(undefined)
  /** A caller whose session was rejected, or ended while they were here, has an account. */
  const hasAccount = useRef(false)

  useEffect(() => {
    if (session !== undefined) hasAccount.current = true
  }, [session])

  const end = useCallback(() => {
    call.current = undefined
    setUnderWay(undefined)
  }, [])

  useEffect(() => {
    // With Back from the checkout the browser may bring back the page as it was left.
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) end()
    }
    window.addEventListener('pageshow', comeBack)
    return () => {
      window.removeEventListener('pageshow', comeBack)
      // A member who has moved on to another page is not sent to the payment page.
      call.current?.abort()
    }
  }, [end])

  const buy = async (plan: PlanType): Promise<void> => {
    if (call.current !== undefined) return
    setCheckoutError(undefined)
    const entry = new URLSearchParams(window.location.search).get('entry') ?? undefined
    const next = `${plansPath(entry)}#${plan}`
    const { session } = current()
    if (session === undefined) {
      await navigate(wayTo(hasAccount.current ? '/login' : '/register', next))
      return
    }
    if (session.email === '') {
      // Without the address it is only half a session, and the page for signing in is for those who have none.
      void signOut()
      await navigate(wayTo('/login', next))
      return
    }
    const own = new AbortController()
    call.current = own
    setUnderWay(plan)
    const outcome = await open({ email: session.email, planType: plan, entry }, own.signal).catch((error: unknown) => {
      end()
      throw error
    })
    if (own.signal.aborted) return
    if (outcome.kind === 'pay') {
      later(leaveMs, end)
      window.location.assign(outcome.url)
      return
    }
    end()
    if (outcome.kind === 'sign-in') await navigate(wayTo('/login', next))
    else setCheckoutError({ plan, ...outcome })
  }

  return { isReady: isSettled, underWay, checkoutError, buy: (plan) => void buy(plan) }
}

async function open(
  body: { email: string; planType: PlanType; entry: string | undefined },
  signal: AbortSignal,
): Promise<CheckoutOutcome> {
  try {
    return checkoutOutcome(await callApi('/pay/vip-payment', { method: 'POST', body, signal }))
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    // The sentence promises the details there.
    if (!signal.aborted) console.error('The checkout was not answered.', error.cause)
    return unansweredCheckout
  }
}
