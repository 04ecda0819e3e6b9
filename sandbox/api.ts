import { timingSafeEqual } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Account } from './account.ts'
import { expand } from './expand.ts'
import { makeId } from './ids.ts'
import { apiVersion, listOf } from './objects.ts'
import { RequestedParameters, metadataOf, missing, type Parameters, readParameters, wholeNumber } from './parameters.ts'
import { noSuch, StripeRefusal } from './stripe-refusal.ts'

export interface ApiFaults {
  api: 'none' | 'down' | '500' | '429' | '403' | 'slow'
  slowMs: number
  /** Only these paths are faulty; without it all are. Tried on the path and on 'METHOD /path'. */
  apiPaths?: RegExp | undefined
  /** For these the work is done and the answer is lost. Tried as `apiPaths` is. */
  lose?: RegExp | undefined
}

export interface ApiRequest {
  method: string
  path: string
  query: string
  body: string
  authorization: string | undefined
  version: string | undefined
  idempotencyKey: string | undefined
}

export interface ApiAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** The API's answer, or a connection that breaks without one. */
export type Outcome = ApiAnswer | 'broken'

interface Call {
  account: Account
  id: string
  requested: RequestedParameters
  url: string
}

interface Endpoint {
  method: string
  path: RegExp
  /** The parameters Stripe knows here; those that the sandbox has no use for are taken and left. */
  known: readonly string[]
  answer: (call: Call) => object
}

const paging = ['limit', 'starting_after', 'ending_before', 'created']

const sessionParameters = (
  'allow_promotion_codes automatic_tax billing_address_collection branding_settings cancel_url client_reference_id ' +
  'consent_collection currency custom_text customer customer_update expires_at line_items locale metadata mode ' +
  'allowed_payment_method_types origin_context payment_method_collection payment_method_options payment_method_types phone_number_collection ' +
  'saved_payment_method_options subscription_data success_url tax_id_collection ui_mode wallet_options'
).split(' ')

const endpoints: Endpoint[] = [
  {
    method: 'POST',
    path: /^\/v1\/customers$/,
    known: ['email', 'name', 'phone', 'description', 'metadata', 'preferred_locales', 'address', 'shipping'],
    answer: ({ account, requested }) =>
      account.createCustomer({
        email: requested.text('email') ?? null,
        name: requested.text('name') ?? null,
        phone: requested.text('phone') ?? null,
        description: requested.text('description') ?? null,
        metadata: requested.metadata(),
      }),
  },
  {
    method: 'GET',
    path: /^\/v1\/customers\/([^/]+)$/,
    known: [],
    answer: ({ account, id }) => account.state.deletedCustomers[id] ?? account.customer(id),
  },
  {
    method: 'POST',
    path: /^\/v1\/customers\/([^/]+)$/,
    known: ['email', 'name', 'phone', 'description'],
    answer: ({ account, id, requested }) =>
      account.updateCustomer(id, {
        email: requested.text('email'),
        name: requested.text('name'),
        phone: requested.text('phone'),
        description: requested.text('description'),
      }),
  },
  {
    method: 'DELETE',
    path: /^\/v1\/customers\/([^/]+)$/,
    known: [],
    answer: ({ account, id }) => account.deleteCustomer(id),
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions$/,
    known: sessionParameters,
    answer: createSession,
  },
  {
    method: 'GET',
    path: /^\/v1\/checkout\/sessions$/,
    known: [...paging, 'customer', 'customer_details', 'payment_intent', 'payment_link', 'status', 'subscription'],
    answer: (call) => {
      const { account, requested } = call
      const customer = knownCustomer(call)
      const status = requested.text('status')
      const subscription = requested.text('subscription')
      return page(
        call,
        Object.values(account.state.sessions).filter(
          (session) =>
            (customer === undefined || session.customer === customer) &&
            (status === undefined || session.status === status) &&
            (subscription === undefined || session.subscription === subscription),
        ),
        'checkout.session',
      )
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/checkout\/sessions\/([^/]+)$/,
    known: [],
    answer: ({ account, id }) => account.session(id),
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/,
    known: [],
    answer: ({ account, id }) => account.expire(id),
  },
  {
    method: 'POST',
    path: /^\/v1\/billing_portal\/sessions$/,
    known: ['configuration', 'customer', 'flow_data', 'locale', 'on_behalf_of', 'return_url'],
    answer: ({ account, requested }) => {
      const returnUrl = requested.text('return_url')
      if (returnUrl !== undefined) checkUrl(returnUrl, 'return_url')
      return account.createPortalSession(requested.required('customer'), returnUrl ?? null)
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/subscriptions$/,
    known: [...paging, 'automatic_tax', 'collection_method', 'customer', 'price', 'status', 'test_clock'],
    answer: (call) => {
      const { account, requested } = call
      const customer = knownCustomer(call)
      const price = requested.text('price')
      if (price !== undefined) account.price(price, 'price')
      const status = requested.text('status')
      return page(
        call,
        Object.values(account.state.subscriptions).filter(
          (subscription) =>
            (customer === undefined || subscription.customer === customer) &&
            (price === undefined || account.itemOf(subscription).price.id === price) &&
            hasStatus(subscription.status, status),
        ),
        'subscription',
      )
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/subscriptions\/([^/]+)$/,
    known: [],
    answer: ({ account, id }) => account.subscription(id),
  },
  {
    method: 'DELETE',
    path: /^\/v1\/subscriptions\/([^/]+)$/,
    known: ['cancellation_details', 'invoice_now', 'prorate'],
    answer: ({ account, id }) => account.cancel(id, 'now'),
  },
  {
    method: 'GET',
    path: /^\/v1\/invoices$/,
    known: [...paging, 'collection_method', 'customer', 'due_date', 'status', 'subscription'],
    answer: (call) => {
      const { account, requested } = call
      const customer = knownCustomer(call)
      const subscription = requested.text('subscription')
      if (subscription !== undefined && account.state.subscriptions[subscription] === undefined)
        throw noSuch('subscription', subscription, 'subscription')
      const status = requested.text('status')
      return page(
        call,
        Object.values(account.state.invoices).filter(
          (invoice) =>
            (customer === undefined || invoice.customer === customer) &&
            (subscription === undefined || invoice.parent?.subscription_details?.subscription === subscription) &&
            (status === undefined || invoice.status === status),
        ),
        'invoice',
      )
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/invoices\/([^/]+)$/,
    known: [],
    answer: ({ account, id }) => account.invoice(id),
  },
  {
    method: 'GET',
    path: /^\/v1\/charges$/,
    known: [...paging, 'customer', 'payment_intent', 'transfer_group'],
    answer: (call) => {
      const { account, requested } = call
      const customer = knownCustomer(call)
      const intent = requested.text('payment_intent')
      return page(
        call,
        Object.values(account.state.charges).filter(
          (charge) =>
            (customer === undefined || charge.customer === customer) &&
            (intent === undefined || charge.payment_intent === intent),
        ),
        'charge',
      )
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/charges\/([^/]+)$/,
    known: [],
    answer: ({ account, id }) => found(account.state.charges, 'charge', id),
  },
  {
    method: 'POST',
    path: /^\/v1\/refunds$/,
    known: ['charge', 'metadata', 'reason'],
    answer: ({ account, requested }) =>
      account.refundCharge(found(account.state.charges, 'charge', requested.required('charge'))),
  },
  {
    method: 'GET',
    path: /^\/v1\/disputes$/,
    known: [...paging, 'charge', 'payment_intent'],
    answer: (call) => {
      const { account, requested } = call
      const charge = requested.text('charge')
      const intent = requested.text('payment_intent')
      return page(
        call,
        Object.values(account.state.disputes).filter(
          (dispute) =>
            (charge === undefined || dispute.charge === charge) &&
            (intent === undefined || dispute.payment_intent === intent),
        ),
        'dispute',
      )
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/disputes\/([^/]+)$/,
    known: [],
    answer: ({ account, id }) => found(account.state.disputes, 'dispute', id),
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents\/([^/]+)$/,
    known: ['client_secret'],
    answer: ({ account, id }) => found(account.state.paymentIntents, 'payment_intent', id),
  },
  {
    method: 'GET',
    path: /^\/v1\/prices\/([^/]+)$/,
    known: [],
    answer: ({ account, id }) => account.price(id),
  },
  {
    method: 'GET',
    path: /^\/v1\/events$/,
    known: [...paging, 'delivery_success', 'type', 'types'],
    answer: (call) => {
      const { account, requested } = call
      const type = requested.text('type')
      const types = requested.texts('types')
      const isWanted = (name: string) =>
        (type === undefined || matches(name, type)) && (types.length === 0 || types.some((one) => matches(name, one)))
      return page(
        call,
        account.state.events.filter((event) => isWanted(event.type)),
        'event',
      )
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/events\/([^/]+)$/,
    known: [],
    answer: ({ account, id }) => {
      const event = account.state.events.find((event) => event.id === id)
      if (event === undefined) throw noSuch('event', id)
      return event
    },
  },
]

function createSession({ account, requested }: Call): object {
  const mode = requested.required('mode')
  if (mode !== 'subscription')
    throw new StripeRefusal(400, 'The sandbox knows checkout sessions in the mode subscription only.', {
      param: 'mode',
    })
  const lines = requested.values('line_items').map((line, i) => {
    const name = `line_items[${i}]`
    if (typeof line === 'string') throw new StripeRefusal(400, 'Invalid object', { param: name })
    const { price, quantity } = line
    if (typeof price !== 'string' || price === '') throw missing(`${name}[price]`)
    if (typeof quantity !== 'string') throw missing(`${name}[quantity]`)
    const count = wholeNumber(quantity, `${name}[quantity]`)
    if (count < 1)
      throw new StripeRefusal(400, 'This value must be greater than or equal to 1.', {
        code: 'parameter_invalid_integer',
        param: `${name}[quantity]`,
      })
    return { price, quantity: count }
  })
  if (lines.length !== 1) throw lines.length === 0 ? missing('line_items') : tooManyLines()
  const successUrl = requested.required('success_url')
  checkUrl(successUrl, 'success_url')
  const cancelUrl = requested.text('cancel_url')
  if (cancelUrl !== undefined) checkUrl(cancelUrl, 'cancel_url')
  const expiresAt = requested.wholeNumber('expires_at')
  const now = account.seconds()
  if (expiresAt !== undefined && (expiresAt < now + 1800 || expiresAt > now + 86_400))
    throw new StripeRefusal(400, '`expires_at` must lie between 30 minutes and 24 hours from now.', {
      param: 'expires_at',
    })
  return account.createSession({
    // Stripe makes a customer of a session without one; the sandbox wants every session to have an owner.
    customer: requested.required('customer'),
    lines,
    successUrl,
    cancelUrl: cancelUrl ?? null,
    reference: requested.text('client_reference_id') ?? null,
    metadata: requested.metadata(),
    subscriptionMetadata: metadataOf(requested.inner('subscription_data')['metadata'], 'subscription_data[metadata]'),
    expiresAt,
  })
}

function tooManyLines(): StripeRefusal {
  return new StripeRefusal(400, 'The sandbox sells one price in a checkout session.', { param: 'line_items' })
}

function checkUrl(url: string, param: string): void {
  if (!URL.canParse(url.replaceAll(/[{}]/g, '_')) || !/^https?:/i.test(url))
    throw new StripeRefusal(400, 'Not a valid URL', { code: 'url_invalid', param })
}

function found<T>(collection: Record<string, T>, thing: string, id: string): T {
  const one = Object.hasOwn(collection, id) ? collection[id] : undefined
  if (one === undefined) throw noSuch(thing, id)
  return one
}

/** The customer a list is asked for: a deleted one still has a past, an unknown one is an error. */
function knownCustomer({ account, requested }: Call): string | undefined {
  const id = requested.text('customer')
  if (id !== undefined && account.state.deletedCustomers[id] === undefined) account.customer(id, 'customer')
  return id
}

function hasStatus(status: string, requested: string | undefined): boolean {
  switch (requested) {
    case undefined:
      return status !== 'canceled'
    case 'all':
      return true
    case 'ended':
      return status === 'canceled' || status === 'incomplete_expired'
    default:
      return status === requested
  }
}

/** A type of event, or with a star at its end a family of them. */
function matches(type: string, requested: string): boolean {
  return requested.endsWith('*') ? type.startsWith(requested.slice(0, -1)) : type === requested
}

/** One page of a list, newest first. @param oldestFirst in the order of making */
function page({ requested, url }: Call, oldestFirst: { id: string; created: number }[], thing: string): object {
  const limit = requested.wholeNumber('limit') ?? 10
  if (limit < 1 || limit > 100)
    throw new StripeRefusal(400, 'This value must be between 1 and 100.', {
      code: 'parameter_invalid_integer',
      param: 'limit',
    })
  const isWithin = requested.within('created')
  const all = oldestFirst.filter(({ created }) => isWithin(created)).reverse()
  const placeOf = (name: string) => {
    const id = requested.text(name)
    if (id === undefined) return undefined
    const place = all.findIndex((one) => one.id === id)
    if (place === -1) throw noSuch(thing, id, name)
    return place
  }
  const after = placeOf('starting_after')
  const before = placeOf('ending_before')
  if (after !== undefined && before !== undefined)
    throw new StripeRefusal(400, 'You cannot use starting_after and ending_before together.', {
      param: 'ending_before',
    })
  if (before !== undefined) {
    const start = Math.max(0, before - limit)
    return { ...listOf(all.slice(start, before), url), has_more: start > 0 }
  }
  const start = after === undefined ? 0 : after + 1
  return { ...listOf(all.slice(start, start + limit), url), has_more: start + limit < all.length }
}

/** How long an answer is kept under its idempotency key, in milliseconds. */
const keptFor = 24 * 3600 * 1000

const maxRequests = 1_000

/** The API: who asks, what has been asked before, what goes wrong on demand, and then the endpoint. */
export class Api {
  readonly requests: { method: string; path: string; idempotencyKey: string | undefined }[] = []
  onAnswer: ((request: { method: string; path: string }) => void | Promise<void>) | undefined
  readonly #account: Account
  readonly #faults: ApiFaults
  readonly #secretKey: string
  readonly #now: () => number
  readonly #save: () => void
  readonly #closing: AbortSignal
  readonly #underWay = new Set<string>()

  constructor(options: {
    account: Account
    faults: ApiFaults
    secretKey: string
    now: () => number
    save: () => void
    closing: AbortSignal
  }) {
    this.#account = options.account
    this.#faults = options.faults
    this.#secretKey = options.secretKey
    this.#now = options.now
    this.#save = options.save
    this.#closing = options.closing
  }

  async answer(request: ApiRequest): Promise<Outcome> {
    const { method, path, idempotencyKey } = request
    this.requests.push({ method, path, idempotencyKey })
    if (this.requests.length > maxRequests) this.requests.shift()
    const requestId = makeId('req_')
    const key = method === 'POST' ? idempotencyKey : undefined
    if (key !== undefined && this.#underWay.has(key)) return refused(inUse(), requestId, key)
    if (key !== undefined) this.#underWay.add(key)
    try {
      const fault = this.#fault(request)
      if (fault === 'slow') await wait(this.#faults.slowMs, undefined, { signal: this.#closing }).catch(() => undefined)
      if (fault === 'down' || this.#closing.aborted) return 'broken'
      if (fault === '500' || fault === '429' || fault === '403') return refused(faultOf(fault), requestId, key)
      const answer = this.#work(request, requestId, key)
      await this.onAnswer?.({ method, path })
      return applies(this.#faults.lose, request) ? 'broken' : answer
    } finally {
      if (key !== undefined) this.#underWay.delete(key)
    }
  }

  #fault(request: ApiRequest): ApiFaults['api'] {
    const { api, apiPaths } = this.#faults
    return apiPaths === undefined || applies(apiPaths, request) ? api : 'none'
  }

  #work(request: ApiRequest, requestId: string, key: string | undefined): ApiAnswer {
    try {
      this.#checkCaller(request)
      const given = request.method === 'POST' ? request.body : request.query
      const kept = key === undefined ? undefined : this.#kept(key, request)
      if (kept !== undefined)
        return {
          status: kept.status,
          headers: { ...headersOf(requestId, key), 'Idempotent-Replayed': 'true', 'Original-Request': kept.requestId },
          body: kept.body,
        }
      const answer = this.#account.because({ id: requestId, idempotencyKey: key }, () =>
        this.#endpoint(request, readParameters(given)),
      )
      const body = JSON.stringify(answer, null, 2)
      if (key !== undefined)
        this.#account.state.kept[key] = {
          path: request.path,
          parameters: given,
          status: 200,
          body,
          requestId,
          at: this.#now(),
        }
      if (request.method !== 'GET') this.#save()
      return { status: 200, headers: headersOf(requestId, key), body }
    } catch (error) {
      // Refused before anything was done: like Stripe, nothing is kept under the key.
      if (error instanceof StripeRefusal) return refused(error, requestId, key)
      throw error
    }
  }

  #endpoint({ method, path }: ApiRequest, parameters: Parameters): object {
    for (const endpoint of endpoints) {
      const match = endpoint.method === method ? endpoint.path.exec(path) : null
      if (match === null) continue
      const requested = new RequestedParameters(parameters, endpoint.known)
      const id = decodeURIComponent(match[1] ?? '')
      const answer = endpoint.answer({ account: this.#account, id, requested, url: path })
      return expand(this.#account, answer, requested.texts('expand'))
    }
    throw new StripeRefusal(
      404,
      `Unrecognized request URL (${method}: ${path}). The sandbox speaks what is used of it.`,
    )
  }

  #checkCaller({ authorization, version }: ApiRequest): void {
    const given = keyOf(authorization)
    if (given === undefined)
      throw new StripeRefusal(401, 'You did not provide an API key. Use Authorization: Bearer YOUR_SECRET_KEY.')
    if (!equal(given, this.#secretKey)) throw new StripeRefusal(401, `Invalid API Key provided: ${hidden(given)}`)
    if (version !== apiVersion)
      throw new StripeRefusal(400, `Invalid Stripe API version: ${version ?? '(none)'}. The sandbox is ${apiVersion}.`)
  }

  #kept(key: string, { path, body }: ApiRequest) {
    if (key.length > 255) throw new StripeRefusal(400, 'An idempotency key has at most 255 characters.')
    const { kept } = this.#account.state
    for (const [name, { at }] of Object.entries(kept)) if (this.#now() - at >= keptFor) delete kept[name]
    const former = Object.hasOwn(kept, key) ? kept[key] : undefined
    if (former === undefined) return undefined
    if (former.path !== path)
      throw new StripeRefusal(
        400,
        `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${former.path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      )
    if (former.parameters !== body)
      throw new StripeRefusal(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      )
    return former
  }
}

function applies(pattern: RegExp | undefined, { method, path }: ApiRequest): boolean {
  // `search` neither reads nor moves the place that a global pattern remembers.
  return pattern !== undefined && (path.search(pattern) !== -1 || `${method} ${path}`.search(pattern) !== -1)
}

function keyOf(authorization = ''): string | undefined {
  const [scheme = '', value = ''] = authorization.split(' ')
  if (/^bearer$/i.test(scheme) && value !== '') return value
  if (/^basic$/i.test(scheme)) return Buffer.from(value, 'base64').toString('utf8').split(':')[0]
  return undefined
}

function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function hidden(key: string): string {
  return `${key.slice(0, 8)}${'*'.repeat(8)}${key.length > 12 ? key.slice(-4) : ''}`
}

function headersOf(requestId: string, key: string | undefined): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache, no-store',
    'Request-Id': requestId,
    'Stripe-Version': apiVersion,
    ...(key !== undefined && { 'Idempotency-Key': key, 'Original-Request': requestId }),
  }
}

function refused(refusal: StripeRefusal, requestId: string, key: string | undefined): ApiAnswer {
  return {
    status: refusal.status,
    headers: headersOf(requestId, key),
    body: JSON.stringify(refusal, null, 2),
  }
}

function inUse(): StripeRefusal {
  return new StripeRefusal(
    409,
    'There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through).',
    { type: 'idempotency_error', code: 'idempotency_key_in_use' },
  )
}

function faultOf(fault: '500' | '429' | '403'): StripeRefusal {
  if (fault === '403')
    return new StripeRefusal(
      403,
      'The provided key does not have the required permissions for this endpoint on this account.',
    )
  if (fault === '500') return new StripeRefusal(500, 'An unknown error occurred', { type: 'api_error' })
  return new StripeRefusal(
    429,
    'Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits.',
    { code: 'rate_limit' },
  )
}
