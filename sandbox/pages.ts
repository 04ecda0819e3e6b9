import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import type Stripe from 'stripe'
import { type Account, isEnded } from './account.ts'
import { authorisePage, checkoutPage, findCard, isAhead, errors } from './checkout-page.ts'
import { controlPage } from './control-page.ts'
import { idOf } from './ids.ts'
import { type Html, statement } from './page-layout.ts'
import { invoicePage, portalPage } from './portal-page.ts'
import type { SandboxControl } from './sandbox.ts'
import type { CardKind } from './state.ts'
import { StripeRefusal } from './stripe-refusal.ts'

interface PagesOptions {
  account: Account
  control: SandboxControl
  brandName: string
  secretKey: string
  /** Milliseconds. */
  now: () => number
  /** The names under which it may be called; under another one a stranger's page could read it. */
  hosts: string[]
}

const style = readFileSync(join(import.meta.dirname, 'sandbox.css'), 'utf8')

/** The result of the last form, by the word for it in the page's address: no stranger's text is shown. */
const news: Record<string, string> = {
  done: 'Done.',
  cancel: 'The membership ends with its period.',
  resume: 'The membership goes on.',
  plan: 'The plan is changed.',
  card: 'The card is changed.',
  refused: 'That is not possible in this state.',
}

const isCardKind = (text: string): text is CardKind => ['good', 'fails-later', 'asks-later'].includes(text)

/** The pages for people: checkout, portal, invoices, and the control page at `/`. They need no script. */
export function openPages(options: PagesOptions): Hono {
  const app = new Hono()
  const site = siteOf(options)
  app.use(async (c, next) => {
    if (!options.hosts.includes(new URL(c.req.url).hostname)) return c.text('This name leads nowhere.', 421)
    await next()
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Referrer-Policy', 'same-origin')
    c.header('X-Frame-Options', 'DENY')
    if (!c.res.headers.has('Content-Security-Policy')) c.header('Content-Security-Policy', policy())
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
  })

  app.get('/sandbox.css', (c) =>
    c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }),
  )

  addCheckout(app, site)
  addPortal(app, site)
  addInvoices(app, site)
  addControl(app, site)
  app.notFound(site.lost)
  return app
}

type Site = ReturnType<typeof siteOf>

/** The options with what all pages share: tokens of forms, and the pages for what is not there or not ours. */
function siteOf(options: PagesOptions) {
  const { brandName, secretKey } = options

  /** Proof that a form came from the page at this path: other sites cannot read it. */
  const tokenFor = (path: string) => createHmac('sha256', secretKey).update(`form ${path}`).digest('base64url')

  const lost = (c: Context) =>
    show(
      c,
      statement({ title: 'There is nothing here', sentence: 'This page does not exist or no longer does.', brandName }),
      404,
    )

  /** The form's fields, or undefined when it did not come from our own page. */
  async function readForm(c: Context, path: string): Promise<Record<string, string> | undefined> {
    const site = c.req.header('sec-fetch-site')
    if (site !== undefined && site !== 'same-origin') return undefined
    const fields: Record<string, string> = {}
    for (const [name, value] of Object.entries(await c.req.parseBody()))
      if (typeof value === 'string') fields[name] = value
    const [given, expected] = [Buffer.from(fields['token'] ?? ''), Buffer.from(tokenFor(path))]
    return given.length === expected.length && timingSafeEqual(given, expected) ? fields : undefined
  }

  const strange = (c: Context) =>
    show(
      c,
      statement({
        title: 'That form is not ours',
        sentence: 'It came from another site or from an older page. Open the page again and press the button there.',
        brandName,
      }),
      403,
    )

  return { ...options, tokenFor, lost, strange, readForm }
}

function addCheckout(app: Hono, { account, control, brandName, now, tokenFor, lost, strange, readForm }: Site): void {
  /** The session behind an address while it can be paid; else the page that says why not. */
  function openSession(c: Context): Stripe.Checkout.Session | Promise<Response> | Response {
    const id = c.req.param('id') ?? ''
    const session = Object.hasOwn(account.state.sessions, id) ? account.state.sessions[id] : undefined
    if (session === undefined) return lost(c)
    if (session.status === 'complete') {
      const link = { href: successUrl(session), text: `Go on to ${brandName}` }
      return show(
        c,
        statement({
          title: 'Already paid',
          sentence: 'This checkout was paid; it cannot be paid twice.',
          brandName,
          link,
        }),
      )
    }
    if (session.status === 'expired' || session.expires_at <= account.seconds()) {
      const link = session.cancel_url === null ? undefined : { href: session.cancel_url, text: 'Back' }
      return show(
        c,
        statement({
          title: 'This checkout has expired',
          sentence: 'Nothing was paid. Choose a plan again to get a new one.',
          brandName,
          link,
        }),
        410,
      )
    }
    return session
  }

  app.get('/c/pay/:id', (c) => {
    const session = openSession(c)
    if (!('object' in session)) return session
    const { problem: word = '', card = '' } = c.req.query()
    const known = Object.hasOwn(errors, word) ? errors[word] : undefined
    const problem = known !== undefined && /^\d{4}$/.test(card) ? `Card ending in ${card}: ${known}` : known
    const lines = account.state.lineItems[session.id] ?? []
    const token = tokenFor(`/c/pay/${session.id}`)
    return show(
      c,
      checkoutPage({ session, lines, brandName, token, ...(problem !== undefined && { problem }) }),
      200,
      successUrl(session),
    )
  })

  async function pay(c: Context, session: Stripe.Checkout.Session, card: CardKind): Promise<Response> {
    await control.pay(session.id, { card })
    return c.redirect(successUrl(session), 303)
  }

  app.post('/c/pay/:id', async (c) => {
    const path = `/c/pay/${c.req.param('id')}`
    const fields = await readForm(c, path)
    if (fields === undefined) return strange(c)
    const session = openSession(c)
    if (!('object' in session)) return session
    const card = findCard(fields['number'] ?? '')
    const back = (problem: string) =>
      c.redirect(`${path}?problem=${problem}${card === undefined ? '' : `&card=${card.number.slice(-4)}`}`, 303)
    if (card === undefined) return back('unknown')
    if (!isAhead(fields['expiry'] ?? '', now())) return back('expiry')
    if (!/^\s*\d{3}\s*$/.test(fields['cvc'] ?? '')) return back('cvc')
    if (card.atCheckout === 'is declined') return back('declined')
    if (card.atCheckout === 'asks') return c.redirect(`${path}/authorise?card=${card.number.slice(-4)}`, 303)
    return pay(c, session, card.kind)
  })

  app.get('/c/pay/:id/authorise', (c) => {
    const session = openSession(c)
    if (!('object' in session)) return session
    const card = c.req.query('card') === '3184' ? '3184' : '3155'
    const lines = account.state.lineItems[session.id] ?? []
    const token = tokenFor(`/c/pay/${session.id}/authorise`)
    return show(c, authorisePage({ session, lines, brandName, token, card }), 200, successUrl(session))
  })

  app.post('/c/pay/:id/authorise', async (c) => {
    const path = `/c/pay/${c.req.param('id')}`
    const fields = await readForm(c, `${path}/authorise`)
    if (fields === undefined) return strange(c)
    const session = openSession(c)
    if (!('object' in session)) return session
    if (fields['answer'] !== 'yes') return c.redirect(`${path}?problem=refused`, 303)
    return pay(c, session, fields['card'] === '3184' ? 'asks-later' : 'good')
  })
}

function addPortal(app: Hono, { account, control, brandName, tokenFor, strange, readForm }: Site): void {
  const portalGone = (c: Context) =>
    show(
      c,
      statement({
        title: 'This page has closed itself',
        sentence: `For your safety it opens for a short time only. Go back to ${brandName} and open it from your account.`,
        brandName,
      }),
      410,
    )

  app.get('/p/session/:key', (c) => {
    const session = account.openPortal(c.req.param('key'))
    if (session === undefined) return portalGone(c)
    const action = `/p/session/${c.req.param('key')}`
    return show(c, portalPage({ account, session, action, token: tokenFor(action), brandName, news: reported(c) }))
  })

  app.post('/p/session/:key', async (c) => {
    const path = `/p/session/${c.req.param('key')}`
    const fields = await readForm(c, path)
    if (fields === undefined) return strange(c)
    const session = account.openPortal(c.req.param('key'))
    if (session === undefined) return portalGone(c)
    const subscription = account.subscriptionsOf(session.customer).find(({ id }) => id === fields['subscription'])
    if (subscription === undefined || isEnded(subscription)) return c.redirect(`${path}?news=refused`, 303)
    const { id } = subscription
    const { do: deed = '', card = '', price = '' } = fields
    return c.redirect(
      `${path}?news=${await tried(async () => {
        if (deed === 'cancel') await control.cancel(id, 'period_end')
        else if (deed === 'resume') await control.resume(id)
        else if (deed === 'plan') await control.switchPlan(id, price)
        else if (deed === 'card' && isCardKind(card)) await control.updateCard(id, card)
        else return 'refused'
        return deed
      })}`,
      303,
    )
  })
}

function addInvoices(app: Hono, { account, control, brandName, tokenFor, lost, strange, readForm }: Site): void {
  /** An invoice by its own id, or by that of the charge that paid it. */
  function findInvoice(id: string): Stripe.Invoice | undefined {
    if (Object.hasOwn(account.state.invoices, id)) return account.state.invoices[id]
    return Object.values(account.state.invoices).find((invoice) => account.chargeOf(invoice.id)?.id === id)
  }

  app.get('/i/:id', (c) => {
    const invoice = findInvoice(c.req.param('id'))
    if (invoice === undefined) return lost(c)
    return show(c, invoicePage({ account, invoice, token: tokenFor(`/i/${invoice.id}`), brandName }))
  })

  app.post('/i/:id', async (c) => {
    const path = `/i/${c.req.param('id')}`
    const fields = await readForm(c, path)
    if (fields === undefined) return strange(c)
    const invoice = findInvoice(c.req.param('id'))
    if (invoice === undefined) return lost(c)
    const subscription = idOf(invoice.parent?.subscription_details?.subscription)
    const { card = '' } = fields
    if (invoice.status === 'open' && isCardKind(card)) await tried(() => control.updateCard(subscription, card))
    return c.redirect(path, 303)
  })
}

function addControl(app: Hono, { account, control, brandName, tokenFor, strange, readForm }: Site): void {
  app.get('/', (c) =>
    show(c, controlPage({ account, faults: control.faults, token: tokenFor('/'), brandName, news: reported(c) })),
  )

  app.post('/', async (c) => {
    const fields = await readForm(c, '/')
    if (fields === undefined) return strange(c)
    return c.redirect(`/?news=${await tried(() => act(control, fields))}`, 303)
  })
}

/** Does what a form of the control page asks. @returns the word for the news, nothing when it is simply done */
async function act(control: SandboxControl, fields: Record<string, string>): Promise<string | void> {
  const { subscription = '', invoice = '', session = '', customer = '', card = '', when } = fields
  switch (fields['do'] ?? '') {
    case 'faults':
      Object.assign(control.faults, { api: fields['api'] ?? 'none', webhooks: fields['webhooks'] ?? 'on' })
      return
    case 'fail':
      return control.failNextPayments(customer, fields['fails'] === 'yes')
    case 'pay':
      return control.pay(session)
    case 'pay-slowly':
      return control.pay(session, { asynchronous: true })
    case 'settle':
      return control.settle(session, fields['succeeds'] === 'yes')
    case 'expire':
      return control.expire(session)
    case 'pass':
      return control.passPeriod(subscription)
    case 'cancel':
      return control.cancel(subscription, when === 'now' ? 'now' : 'period_end')
    case 'resume':
      return control.resume(subscription)
    case 'plan':
      return control.switchPlan(subscription, fields['price'] ?? '')
    case 'status':
      return control.setStatus(subscription, fields['status'] ?? 'active')
    case 'card':
      return isCardKind(card) ? control.updateCard(subscription, card) : 'refused'
    case 'refund':
      return control.refund(
        invoice,
        fields['dollars'] === undefined ? undefined : Math.round(Number(fields['dollars']) * 100),
      )
    case 'dispute':
      await control.openDispute(invoice)
      return
    case 'dispute-end':
      return control.closeDispute(fields['dispute'] ?? '', fields['outcome'] === 'won' ? 'won' : 'lost')
    default:
      return 'refused'
  }
}

/** Does a thing that the account may refuse, and says in a word how it went. */
async function tried(work: () => Promise<string | void>): Promise<string> {
  try {
    return (await work()) ?? 'done'
  } catch (error) {
    if (error instanceof StripeRefusal) return 'refused'
    throw error
  }
}

function reported(c: Context): string | undefined {
  const word = c.req.query('news') ?? ''
  return Object.hasOwn(news, word) ? news[word] : undefined
}

function successUrl(session: Stripe.Checkout.Session): string {
  return (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}

/** @param leadsTo where a form of the page may end up after its redirect: browsers hold that against the policy too */
function policy(leadsTo?: string): string {
  const target = leadsTo !== undefined && URL.canParse(leadsTo) ? ` ${new URL(leadsTo).origin}` : ''
  return `default-src 'none'; style-src 'self'; img-src data:; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`
}

async function show(c: Context, page: Html, status: 200 | 403 | 404 | 410 = 200, leadsTo?: string): Promise<Response> {
  c.header('Content-Security-Policy', policy(leadsTo))
  return c.html(await page, status)
}
