import { html } from 'hono/html'
import type Stripe from 'stripe'
import { amountOf, form, type Html, layout } from './page-layout.ts'
import type { CardKind } from './state.ts'

/** The effect of a card at the checkout, and the card that is stored. */
interface TestCard {
  number: string
  says: string
  atCheckout: 'pays' | 'is declined' | 'asks'
  kind: CardKind
}

const testCards: TestCard[] = [
  { number: '4242 4242 4242 4242', says: 'pays, now and at every renewal', atCheckout: 'pays', kind: 'good' },
  { number: '4000 0000 0000 0002', says: 'is declined', atCheckout: 'is declined', kind: 'good' },
  {
    number: '4000 0000 0000 0341',
    says: 'pays now, fails at the next renewal',
    atCheckout: 'pays',
    kind: 'fails-later',
  },
  { number: '4000 0025 0000 3155', says: 'asks its holder once (3-D Secure)', atCheckout: 'asks', kind: 'good' },
  {
    number: '4000 0027 6000 3184',
    says: 'asks its holder now and at every renewal',
    atCheckout: 'asks',
    kind: 'asks-later',
  },
]

/** The reason why a payment failed, by the word for it in the page's address. */
export const errors: Record<string, string> = {
  declined: 'Your card was declined. Nothing was paid; try another card.',
  refused: 'The payment was not authorised. Nothing was paid; try again or take another card.',
  unknown: 'That is none of the test cards. Take one from the list below; never type a real one here.',
  expiry: 'The expiry date is not a month that lies ahead. Write it as 12/34.',
  cvc: 'The security code has three digits.',
}

/** The card behind a number, whatever stands between its digits. */
export function findCard(number: string): TestCard | undefined {
  const digits = number.replaceAll(/\D/g, '')
  return testCards.find((card) => card.number.replaceAll(' ', '') === digits)
}

/** True when `MM/YY` is a month that has not passed. @param nowMs milliseconds */
export function isAhead(expiry: string, nowMs: number): boolean {
  const match = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(expiry)
  if (match === null) return false
  const [month, year] = [Number(match[1]), 2000 + Number(match[2])]
  return month >= 1 && month <= 12 && Date.UTC(year, month, 1) > nowMs
}

interface Checkout {
  session: Stripe.Checkout.Session
  lines: Stripe.LineItem[]
  brandName: string
  token: string
}

export function checkoutPage({ session, lines, brandName, token, problem }: Checkout & { problem?: string }): Html {
  const name = session.customer_details?.name ?? ''
  return layout({
    title: 'Checkout',
    brandName,
    body: html`<div class="two">
      ${summary({ session, lines, brandName })}
      <section class="card" aria-labelledby="pay">
        <h2 id="pay">Pay with a test card</h2>
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        ${form(
          { action: `/c/pay/${session.id}`, token, className: 'stack' },
          html`
            <p class="field"><span>Email</span><output>${session.customer_details?.email ?? '(none)'}</output></p>
            <label class="field"
              ><span>Card number</span
              ><input name="number" value="4242 4242 4242 4242" inputmode="numeric" autocomplete="off" required
            /></label>
            <div class="pair">
              <label class="field"
                ><span>Expiry (MM/YY)</span><input name="expiry" value="12/34" autocomplete="off" required
              /></label>
              <label class="field"
                ><span>CVC</span><input name="cvc" value="123" inputmode="numeric" autocomplete="off" required
              /></label>
            </div>
            <label class="field"
              ><span>Name on the card</span><input name="name" value="${name === '' ? 'Test Member' : name}" required
            /></label>
            <button class="main">Pay ${amountOf(session.amount_total ?? 0)}</button>
          `,
        )}
        ${session.cancel_url && html`<p><a href="${session.cancel_url}">Back</a></p>`}
        <details ${problem === errors['unknown'] ? 'open' : ''}>
          <summary>Test cards</summary>
          <dl class="cards">
            ${testCards.map(({ number, says }) => html`<div><dt>${number}</dt><dd>${says}</dd></div>`)}
          </dl>
          <p class="quiet">Any month ahead and any three digits will do.</p>
        </details>
      </section>
    </div>`,
  })
}

/** The card's bank asks its holder. */
export function authorisePage({ session, lines, brandName, token, card }: Checkout & { card: string }): Html {
  const action = `/c/pay/${session.id}/authorise`
  return layout({
    title: 'Authorise the payment',
    brandName,
    body: html`<div class="two">
      ${summary({ session, lines, brandName })}
      <section class="card" aria-labelledby="ask">
        <h2 id="ask">Your bank asks</h2>
        <p>
          Is it you who pays ${amountOf(session.amount_total ?? 0)} to ${brandName} with the card ending in
          ${card.slice(-4)}?
        </p>
        <div class="row">
          ${form({ action, token, fields: { card, answer: 'yes' } }, html`<button class="main">Authorise</button>`)}
          ${form({ action, token, fields: { card, answer: 'no' } }, html`<button>Refuse</button>`)}
        </div>
      </section>
    </div>`,
  })
}

function summary({ session, lines, brandName }: Omit<Checkout, 'token'>): Html {
  return html`<section class="summary" aria-labelledby="what">
    <p class="brand">${brandName}</p>
    <h1 id="what">Membership</h1>
    ${lines.map(
      ({ price, amount_total }) =>
        html`<p class="price">
          ${amountOf(amount_total)} <small>per ${price?.recurring?.interval ?? 'month'}</small>
        </p>
        <p class="quiet">${price?.nickname ?? ''} plan, renewed every ${price?.recurring?.interval ?? 'month'} until you cancel.</p>`,
    )}
    <p class="total"><span>Due today</span> <strong>${amountOf(session.amount_total ?? 0)}</strong></p>
  </section>`
}
