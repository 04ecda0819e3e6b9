import { expect, test } from 'vitest'
import { prices, trySandbox } from './try-sandbox.ts'

/** A browser without a script: it opens pages, fills in their forms and follows where they lead. */
function visitor() {
  let page = { url: '', status: 0, text: '', headers: new Headers() }

  async function open(url: string, init: RequestInit = {}): Promise<void> {
    const answer = await fetch(url, { redirect: 'manual', ...init })
    const next = answer.headers.get('location')
    const text = await answer.text()
    page = { url, status: answer.status, text, headers: answer.headers }
    if (next === null) return
    const target = new URL(next, url)
    if (target.hostname === 'site.example') page = { ...page, url: target.href }
    else await open(target.href)
  }

  /** Presses a button by its words, in a form filled in as the page has it and then as `typed` says. */
  async function press(button: string, typed: Record<string, string> = {}): Promise<void> {
    const found = [...page.text.matchAll(/<form method="post" action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/g)].find(
      ([, , inner = '']) => new RegExp(`<button[^>]*>\\s*${button}`).test(inner),
    )
    if (found === undefined) throw new Error(`There is no button '${button}' on ${page.url}:\n${page.text}`)
    const [, action = '', inner = ''] = found
    const fields = new URLSearchParams()
    for (const [input] of inner.matchAll(/<input[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(input)?.[1] ?? ''
      fields.set(name, /value="([^"]*)"/.exec(input)?.[1] ?? '')
    }
    for (const [name, value] of Object.entries(typed)) fields.set(name, value)
    await open(new URL(action, page.url).href, { method: 'POST', body: fields })
  }

  return { open, press, page: () => page }
}

test('a member pays at the checkout and comes back; the same page cannot be paid twice', async () => {
  const { checkout, control } = await trySandbox({ brandName: 'Ada & Sons' })
  const { customer, session } = await checkout()
  const { open, press, page } = visitor()
  await open(session.url ?? '')
  expect(page().text).toContain('TEST MODE: no card is charged')
  expect(page().text).toContain('Ada &amp; Sons')
  expect(page().text).toContain('$12.00')
  expect(page().headers.get('content-security-policy')).toContain("form-action 'self' http://site.example;")
  await press('Pay')
  expect(page().url).toBe(`http://site.example/success?session_id=${session.id}`)
  expect(control.subscriptionsOf(customer.id)).toMatchObject([{ status: 'active' }])
  await open(session.url ?? '')
  expect(page().text).toContain('Already paid')
  expect(control.subscriptionsOf(customer.id)).toHaveLength(1)
})

test.each([
  ['a declined card', { number: '4000 0000 0000 0002' }, 'Card ending in 0002: Your card was declined'],
  ['a real card', { number: '4111 1111 1111 1111' }, 'none of the test cards'],
  ['a month that has passed', { expiry: '12/25' }, 'expiry date'],
  ['a code of two digits', { cvc: '12' }, 'three digits'],
])('%s pays nothing, and the page says why', async (_, typed, sentence) => {
  const { checkout, control, stripe } = await trySandbox()
  const { customer, session } = await checkout()
  const { open, press, page } = visitor()
  await open(session.url ?? '')
  await press('Pay', typed)
  expect(page().text).toContain(sentence)
  expect(control.subscriptionsOf(customer.id)).toEqual([])
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'open' })
})

test('a card that asks its holder pays when they authorise it, and not when they refuse', async () => {
  const { checkout, control } = await trySandbox()
  const { customer, session } = await checkout()
  const { open, press, page } = visitor()
  await open(session.url ?? '')
  await press('Pay', { number: '4000 0025 0000 3155' })
  await press('Refuse')
  expect(page().text).toContain('not authorised')
  expect(control.subscriptionsOf(customer.id)).toEqual([])
  await press('Pay', { number: '4000 0025 0000 3155' })
  await press('Authorise')
  expect(page().url).toContain('http://site.example/success')
  expect(control.subscriptionsOf(customer.id)).toMatchObject([{ status: 'active' }])
})

test('a checkout that has expired says so', async () => {
  const { checkout, clock } = await trySandbox()
  const { session } = await checkout()
  clock.ms += 24 * 3600 * 1000
  const { open, page } = visitor()
  await open(session.url ?? '')
  expect(page()).toMatchObject({ status: 410 })
  expect(page().text).toContain('This checkout has expired')
  expect(page().text).toContain('href="http://site.example/cancel"')
})

test('a member changes their membership at the portal', async () => {
  const { member, control, stripe } = await trySandbox()
  const { customer } = await member()
  const { url } = await stripe.billingPortal.sessions.create({ customer, return_url: 'http://site.example/account' })
  const { open, press, page } = visitor()
  await open(url)
  expect(page().text).toContain('href="http://site.example/account"')
  await press('Cancel at period end')
  expect(page().text).toContain('The membership ends on February 28, 2026')
  expect(control.subscriptionsOf(customer)).toMatchObject([{ status: 'active', cancel_at_period_end: true }])
  await press('Keep the membership')
  expect(control.subscriptionsOf(customer)).toMatchObject([{ cancel_at_period_end: false }])
  await press('Switch to Annual')
  expect(control.subscriptionsOf(customer)[0]?.items.data).toMatchObject([{ price: { id: prices.annual } }])
  await press('Update card', { card: 'fails-later' })
  expect(page().text).toContain('Visa ending in 0341')
})

test('an invoice that is open can be paid on its page', async () => {
  const { member, control, pass } = await trySandbox()
  const { customer } = await member(prices.monthly, 'fails-later')
  await pass(28)
  const { open, press, page } = visitor()
  await open(control.invoicesOf(customer)[1]?.hosted_invoice_url ?? '')
  await press('Pay', { card: 'good' })
  expect(page().text).toContain('Receipt')
  expect(control.subscriptionsOf(customer)).toMatchObject([{ status: 'active' }])
})

test('a portal closes five minutes after it was made, or an hour after it was last used', async () => {
  const { member, stripe, clock } = await trySandbox()
  const { customer } = await member()
  const unused = await stripe.billingPortal.sessions.create({ customer })
  const used = await stripe.billingPortal.sessions.create({ customer })
  const { open, page } = visitor()
  await open(used.url)
  expect(page().status).toBe(200)
  clock.ms += 5 * 60 * 1000
  await open(unused.url)
  expect(page().status).toBe(410)
  clock.ms += 54 * 60 * 1000
  await open(used.url)
  expect(page().status).toBe(200)
  clock.ms += 3600 * 1000
  await open(used.url)
  expect(page().status).toBe(410)
})

test('the control page does what it says', async () => {
  const { member, control, sandbox } = await trySandbox()
  const { customer, subscription } = await member()
  const { open, press, page } = visitor()
  await open(`${sandbox.url}/`)
  await press('Refund a part', { dollars: '5.00' })
  expect(control.chargesOf(customer)).toMatchObject([{ amount_refunded: 500 }])
  await press('Open a dispute')
  await press('Dispute won')
  expect(control.events.at(-1)?.type).toBe('charge.dispute.closed')
  await press('Let payments fail')
  await press('Let the period pass')
  expect(control.subscriptionsOf(customer)).toMatchObject([{ id: subscription, status: 'past_due' }])
  await press('Apply', { api: '500', webhooks: 'never' })
  expect(control.faults).toMatchObject({ api: '500', webhooks: 'never' })
  await press('Cancel now')
  expect(control.subscriptionsOf(customer)).toMatchObject([{ status: 'canceled' }])
  expect(page().status).toBe(200)
})

test('a form from another site, or without its token, does nothing', async () => {
  const { checkout, control } = await trySandbox()
  const { customer, session } = await checkout()
  const { open, page } = visitor()
  const url = session.url ?? ''
  await open(url)
  const token = /name="token" value="([^"]+)"/.exec(page().text)?.[1] ?? ''
  const body = () => new URLSearchParams({ token, number: '4242424242424242', expiry: '12/34', cvc: '123' })
  await open(url, { method: 'POST', body: body(), headers: { 'sec-fetch-site': 'cross-site' } })
  expect(page().status).toBe(403)
  const forged = body()
  forged.set('token', `${token.slice(0, -1)}!`)
  await open(url, { method: 'POST', body: forged })
  expect(page().status).toBe(403)
  expect(control.subscriptionsOf(customer.id)).toEqual([])
})

test('nothing is shown under a name that is not its own, or at an address that was never given out', async () => {
  const { sandbox } = await trySandbox()
  const { open, page } = visitor()
  for (const path of ['/c/pay/cs_test_guess', '/c/pay/__proto__', '/i/in_guess', '/nothing']) {
    await open(`${sandbox.url}${path}`)
    expect(page().status, path).toBe(404)
  }
  await open(`${sandbox.url}/p/session/guess`)
  expect(page().status).toBe(410)
})
