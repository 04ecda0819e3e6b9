import type { Account } from './account.ts'
import { listOf } from './objects.ts'
import { StripeRefusal } from './stripe-refusal.ts'

type Thing = Record<string, unknown>

/**
 * A copy of an answer with what `expand` asks for put in place of its ids.
 * @param paths such as `latest_invoice.payments` or, for a list, `data.customer`; four steps at most, `data` among them
 */
export function expand(account: Account, answer: object, paths: string[]): object {
  const copy = structuredClone(answer)
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.length > 4)
      throw new StripeRefusal(400, `You cannot expand more than 4 levels of a property. Property: ${path}`)
    walk(account, copy as Thing, steps, path)
  }
  return copy
}

function walk(account: Account, thing: Thing, steps: string[], path: string): void {
  const [step, ...rest] = steps
  if (step === undefined) return
  if (step === 'data' && thing['object'] === 'list') {
    for (const item of thing['data'] as Thing[]) walk(account, item, rest, path)
    return
  }
  const value = thing[step] ?? included(account, thing, step)
  if (value === null) return
  const found = typeof value === 'string' ? lookUp(account, value) : value
  if (typeof found !== 'object' || found === null)
    throw new StripeRefusal(400, `This property cannot be expanded (${path}).`, { param: 'expand[]' })
  const inner = typeof value === 'string' ? structuredClone(found) : found
  thing[step] = inner
  walk(account, inner as Thing, rest, path)
}

/** A property that is left out unless requested; null stays null, undefined is no property at all. */
function included(account: Account, thing: Thing, name: string): object | null | undefined {
  if (name in thing) return null
  const id = String(thing['id'])
  const { state } = account
  switch (`${String(thing['object'])}.${name}`) {
    case 'invoice.payments':
      return structuredClone(listOf(account.paymentsOf(id), `/v1/invoice_payments?invoice=${id}`))
    case 'checkout.session.line_items':
      return structuredClone(listOf(state.lineItems[id] ?? [], `/v1/checkout/sessions/${id}/line_items`))
    case 'customer.subscriptions': {
      const running = account.subscriptionsOf(id).filter(({ status }) => status !== 'canceled')
      return structuredClone(listOf(running.reverse(), `/v1/customers/${id}/subscriptions`))
    }
    case 'charge.refunds': {
      const refunds = Object.values(state.refunds).filter(({ charge }) => charge === id)
      return structuredClone(listOf(refunds.reverse(), `/v1/charges/${id}/refunds`))
    }
    default:
      return undefined
  }
}

function lookUp(account: Account, id: string): object | undefined {
  const { state } = account
  const collections: Record<string, object>[] = [
    state.customers,
    state.deletedCustomers,
    state.subscriptions,
    state.sessions,
    state.invoices,
    state.paymentIntents,
    state.charges,
    state.disputes,
    account.prices,
  ]
  return collections.find((collection) => Object.hasOwn(collection, id))?.[id]
}
