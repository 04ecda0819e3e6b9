import { html } from 'hono/html'
import type Stripe from 'stripe'
import { type Account, isEnded } from './account.ts'
import { idOf } from './ids.ts'
import { amountOf, form, type Html, layout, momentOf, select, wordsOf } from './page-layout.ts'
import { cardChoices, stateOf } from './portal-page.ts'
import type { SandboxFaults } from './sandbox.ts'

const apiFaults = {
  none: 'works',
  down: 'is down: connections break',
  '500': 'answers 500',
  '429': 'answers 429',
  '403': 'refuses the key: answers 403',
  slow: 'is slow (5 s)',
}

const webhookFaults = {
  on: 'are sent',
  late: 'come late (5 s)',
  twice: 'come twice',
  shuffled: 'come out of order',
  never: 'never come',
}

const statuses = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete', 'incomplete_expired', 'canceled']

interface Control {
  account: Account
  faults: SandboxFaults
  token: string
  brandName: string
  news: string | undefined
}

/** For whoever tries the demo: everything that can happen to a member's money, one button each. */
export function controlPage({ account, faults, token, brandName, news }: Control): Html {
  const act = (fields: Record<string, string>, text: string) =>
    form({ action: '/', token, fields }, html`<button>${text}</button>`)
  const customers = Object.values(account.state.customers).reverse()
  const { events, deliveries } = account.state
  return layout({
    title: 'Payment sandbox',
    brandName,
    body: html`
      <header class="head">
        <p class="brand">${brandName}</p>
        <h1>Payment sandbox</h1>
        <p class="quiet">
          It stands in for Stripe as long as no keys are set. What you do here reaches the site as it would from Stripe: by
          signed webhooks.
        </p>
      </header>
      ${news && html`<p class="news" role="status">${news}</p>`}
      <section class="card" aria-labelledby="faults">
        <h2 id="faults">Trouble on demand</h2>
        ${form(
          { action: '/', token, fields: { do: 'faults' }, className: 'row' },
          html`${select('api', 'The API', apiFaults, faults.api)}
          ${select('webhooks', 'Webhooks', webhookFaults, faults.webhooks)}<button>Apply</button>`,
        )}
        <p class="quiet">${deliveries.length} of ${events.length} events still to be delivered.</p>
      </section>
      ${
        customers.length === 0 &&
        html`<section class="card">
        <p>Nobody has come to the checkout yet. Choose a plan on the site; its customer then stands here.</p>
      </section>`
      }
      ${customers.map((customer) => customerCard({ account, customer, token, act }))}
      <section class="card" aria-labelledby="events">
        <h2 id="events">Last events</h2>
        <ul class="lines">
          ${events
            .slice(-20)
            .reverse()
            .map(
              (event) =>
                html`<li>
                  <span>${momentOf(event.created)}</span><span>${event.type}</span>
                  <span class="mark">${event.pending_webhooks > 0 ? 'waiting' : 'sent'}</span>
                </li>`,
            )}
        </ul>
      </section>
    `,
  })
}

type Act = (fields: Record<string, string>, text: string) => Html

function customerCard({
  account,
  customer,
  token,
  act,
}: {
  account: Account
  customer: Stripe.Customer
  token: string
  act: Act
}): Html {
  const fails = account.state.failing[customer.id] === true
  const sessions = Object.values(account.state.sessions).filter((session) => session.customer === customer.id)
  const waiting = sessions.filter((session) => session.status === 'complete' && isUnsettled(account, session))
  const open = sessions.filter((session) => session.status === 'open')
  return html`<section class="card">
    <h2>${customer.name ?? customer.email ?? 'A customer'}</h2>
    <p class="quiet">${customer.email ?? ''} <code>${customer.id}</code></p>
    <div class="row">
      ${
        fails
          ? act({ do: 'fail', customer: customer.id, fails: 'no' }, 'Let payments succeed')
          : act({ do: 'fail', customer: customer.id, fails: 'yes' }, 'Let payments fail')
      }
    </div>
    ${open.map(
      ({ id, amount_total }) =>
        html`<h3>Open checkout, ${amountOf(amount_total ?? 0)}</h3>
          <div class="row">
            ${act({ do: 'pay', session: id }, 'Pay')} ${act({ do: 'pay-slowly', session: id }, 'Pay slowly')}
            ${act({ do: 'expire', session: id }, 'Let it expire')}
          </div>`,
    )}
    ${waiting.map(
      ({ id, amount_total }) =>
        html`<h3>Payment under way, ${amountOf(amount_total ?? 0)}</h3>
          <div class="row">
            ${act({ do: 'settle', session: id, succeeds: 'yes' }, 'The money arrives')}
            ${act({ do: 'settle', session: id, succeeds: 'no' }, 'It does not')}
          </div>`,
    )}
    ${account
      .subscriptionsOf(customer.id)
      .reverse()
      .map((subscription) => subscriptionPart({ account, subscription, token, act }))}
    ${account
      .invoicesOf(customer.id)
      .reverse()
      .map((invoice) => invoicePart({ account, invoice, token, act }))}
  </section>`
}

function isUnsettled(account: Account, session: Stripe.Checkout.Session): boolean {
  const subscription = account.state.subscriptions[idOf(session.subscription)]
  return session.payment_status === 'unpaid' && subscription !== undefined && !isEnded(subscription)
}

function subscriptionPart({
  account,
  subscription,
  token,
  act,
}: {
  account: Account
  subscription: Stripe.Subscription
  token: string
  act: Act
}): Html {
  const item = account.itemOf(subscription)
  const { id, status } = subscription
  const head = html`<h3>
      ${item.price.nickname ?? item.price.id} <span class="mark">${wordsOf(status)}</span>
    </h3>
    <p class="quiet">
      ${momentOf(item.current_period_start)} to ${momentOf(item.current_period_end)}${
        subscription.cancel_at === null ? '' : `, ends ${momentOf(subscription.cancel_at)}`
      }
      <code>${id}</code>
    </p>`
  if (isEnded(subscription)) return head
  const other = Object.values(account.prices).filter((price) => price.id !== item.price.id)
  return html`${head}
    <div class="row">
      ${act({ do: 'pass', subscription: id }, status === 'past_due' ? 'Let the next try come' : 'Let the period pass')}
      ${
        subscription.cancel_at === null
          ? act({ do: 'cancel', subscription: id, when: 'period_end' }, 'Cancel at period end')
          : act({ do: 'resume', subscription: id }, 'Keep it')
      }
      ${act({ do: 'cancel', subscription: id, when: 'now' }, 'Cancel now')}
      ${
        (status === 'active' || status === 'trialing') &&
        other.map((price) =>
          act({ do: 'plan', subscription: id, price: price.id }, `Switch to ${price.nickname ?? price.id}`),
        )
      }
    </div>
    ${form(
      { action: '/', token, fields: { do: 'status', subscription: id }, className: 'row' },
      html`${select('status', 'Status', Object.fromEntries(statuses.map((one) => [one, wordsOf(one)])), status)}<button>
          Set status
        </button>`,
    )}
    ${form(
      { action: '/', token, fields: { do: 'card', subscription: id }, className: 'row' },
      html`${select('card', 'Card', cardChoices, account.cardOf(subscription).kind)}<button>Set card</button>`,
    )}`
}

function invoicePart({
  account,
  invoice,
  token,
  act,
}: {
  account: Account
  invoice: Stripe.Invoice
  token: string
  act: Act
}): Html {
  const charge = account.chargeOf(invoice.id)
  const left = charge === undefined ? 0 : charge.amount - charge.amount_refunded
  const dispute = Object.values(account.state.disputes).find((dispute) => dispute.charge === charge?.id)
  const isDisputed = dispute !== undefined && dispute.status !== 'won' && dispute.status !== 'lost'
  return html`<h3>
      ${invoice.number ?? invoice.id}: ${amountOf(invoice.amount_due)} <span class="mark">${stateOf(account, invoice)}</span>
    </h3>
    <p class="quiet">
      ${momentOf(invoice.created)}, attempts: ${invoice.attempt_count}${
        invoice.next_payment_attempt === null ? '' : `, again ${momentOf(invoice.next_payment_attempt)}`
      }${dispute === undefined ? '' : `, dispute ${wordsOf(dispute.status)}`}
    </p>
    <div class="row">
      ${left > 0 && act({ do: 'refund', invoice: invoice.id }, `Refund ${amountOf(left)}`)}
      ${
        left > 1 &&
        form(
          { action: '/', token, fields: { do: 'refund', invoice: invoice.id }, className: 'row' },
          html`<label class="field"
            ><span>Dollars</span
            ><input name="dollars" inputmode="decimal" size="6" value="${(Math.floor(left / 2) / 100).toFixed(2)}" required
          /></label>
          <button>Refund a part</button>`,
        )
      }
      ${charge !== undefined && dispute === undefined && act({ do: 'dispute', invoice: invoice.id }, 'Open a dispute')}
      ${isDisputed && act({ do: 'dispute-end', dispute: dispute.id, outcome: 'won' }, 'Dispute won')}
      ${isDisputed && act({ do: 'dispute-end', dispute: dispute.id, outcome: 'lost' }, 'Dispute lost')}
    </div>`
}
