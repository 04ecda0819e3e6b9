import { html } from 'hono/html'
import type Stripe from 'stripe'
import { type Account, isEnded } from './account.ts'
import { amountOf, dateOf, form, type Html, layout, select, wordsOf } from './page-layout.ts'

export const cardChoices = {
  good: '4242 4242 4242 4242 (pays)',
  'fails-later': '4000 0000 0000 0341 (fails at the next renewal)',
  'asks-later': '4000 0027 6000 3184 (asks at every renewal)',
} as const

interface Portal {
  account: Account
  session: Stripe.BillingPortal.Session
  action: string
  token: string
  brandName: string
  /** The result of the last form, in a sentence. */
  news: string | undefined
}

/** The customer's own page: what runs, what was paid, and what they may change. */
export function portalPage({ account, session, action, token, brandName, news }: Portal): Html {
  const customer = account.customer(session.customer)
  const running = account.subscriptionsOf(customer.id).filter((subscription) => !isEnded(subscription))
  const invoices = account.invoicesOf(customer.id).reverse()
  return layout({
    title: 'Your membership',
    brandName,
    body: html`
      <header class="head">
        <p class="brand">${brandName}</p>
        <h1>Your membership</h1>
        <p class="quiet">${customer.email ?? customer.name ?? customer.id}</p>
      </header>
      ${news && html`<p class="news" role="status">${news}</p>`}
      ${running.length === 0 && html`<section class="card"><p>There is no running membership.</p></section>`}
      ${running.map((subscription) => plan({ account, subscription, action, token }))}
      <section class="card" aria-labelledby="payments">
        <h2 id="payments">Payments</h2>
        ${
          invoices.length === 0
            ? html`<p class="quiet">None yet.</p>`
            : html`<ul class="lines">
              ${invoices.map(
                (invoice) =>
                  html`<li>
                    <span>${dateOf(invoice.created)}</span>
                    <span class="figure">${amountOf(invoice.amount_due)}</span>
                    <span class="mark">${stateOf(account, invoice)}</span>
                    <a href="/i/${invoice.id}">${invoice.status === 'open' ? 'Pay' : 'Receipt'} ${invoice.number ?? ''}</a>
                  </li>`,
              )}
            </ul>`
        }
      </section>
      ${session.return_url && html`<p><a href="${session.return_url}">Back to ${brandName}</a></p>`}
    `,
  })
}

/** The state of an invoice and its money, in a word or two. */
export function stateOf(account: Account, invoice: Stripe.Invoice): string {
  const charge = account.chargeOf(invoice.id)
  if (charge?.refunded === true) return 'refunded'
  if (charge !== undefined && charge.amount_refunded > 0) return `${amountOf(charge.amount_refunded)} refunded`
  if (charge?.disputed === true) return 'disputed'
  return invoice.status ?? 'draft'
}

function plan({
  account,
  subscription,
  action,
  token,
}: {
  account: Account
  subscription: Stripe.Subscription
  action: string
  token: string
}): Html {
  const item = account.itemOf(subscription)
  const card = account.cardOf(subscription)
  const ends = subscription.cancel_at ?? (subscription.cancel_at_period_end ? item.current_period_end : null)
  const fields = { subscription: subscription.id }
  const other = Object.values(account.prices).filter(({ id }) => id !== item.price.id)
  return html`<section class="card">
    <h2>${item.price.nickname ?? 'Membership'} plan</h2>
    <p class="price">
      ${amountOf(item.price.unit_amount ?? 0)} <small>per ${item.price.recurring?.interval ?? 'month'}</small>
    </p>
    <p>
      <span class="mark">${wordsOf(subscription.status)}</span>
      ${
        subscription.status === 'past_due'
          ? html`The last payment failed: update the card, and it is tried again at once.`
          : ''
      }
      ${
        ends === null
          ? html`The next payment is due on ${dateOf(item.current_period_end)}.`
          : html`The membership ends on ${dateOf(ends)} and is not renewed.`
      }
    </p>
    <div class="row">
      ${
        ends === null
          ? form({ action, token, fields: { ...fields, do: 'cancel' } }, html`<button>Cancel at period end</button>`)
          : form(
              { action, token, fields: { ...fields, do: 'resume' } },
              html`<button class="main">Keep the membership</button>`,
            )
      }
      ${other.map(({ id, nickname, unit_amount }) =>
        form(
          { action, token, fields: { ...fields, do: 'plan', price: id } },
          html`<button>Switch to ${nickname ?? id} (${amountOf(unit_amount ?? 0)})</button>`,
        ),
      )}
    </div>
    <h3>Card</h3>
    <p class="quiet">Visa ending in ${card.last4}</p>
    ${form(
      { action, token, fields: { ...fields, do: 'card' }, className: 'row' },
      html`${select('card', 'New test card', cardChoices, 'good')}<button>Update card</button>`,
    )}
  </section>`
}

/** One invoice: a receipt, or while it is open the way to pay it. */
export function invoicePage({
  account,
  invoice,
  token,
  brandName,
}: {
  account: Account
  invoice: Stripe.Invoice
  token: string
  brandName: string
}): Html {
  const isOpen = invoice.status === 'open'
  return layout({
    title: isOpen ? 'Invoice' : 'Receipt',
    brandName,
    body: html`<section class="card narrow">
      <p class="brand">${brandName}</p>
      <h1>${isOpen ? 'Invoice' : 'Receipt'} ${invoice.number ?? ''}</h1>
      <p><span class="mark">${stateOf(account, invoice)}</span> ${dateOf(invoice.created)}</p>
      <ul class="lines">
        ${invoice.lines.data.map(
          ({ description, amount, period }) =>
            html`<li>
              <span>${description ?? ''}, ${dateOf(period.start)} to ${dateOf(period.end)}</span>
              <span class="figure">${amountOf(amount)}</span>
            </li>`,
        )}
      </ul>
      <p class="total"><span>${isOpen ? 'To pay' : 'Total'}</span> <strong>${amountOf(invoice.amount_due)}</strong></p>
      ${
        isOpen &&
        form(
          { action: `/i/${invoice.id}`, token, className: 'row' },
          html`${select('card', 'Test card', cardChoices, 'good')}<button class="main">Pay</button>`,
        )
      }
    </section>`,
  })
}
