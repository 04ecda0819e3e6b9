import { isLoopback } from '../../platform/is-loopback.ts'
import type { SettingsReader } from '../../platform/config/config.ts'
import { list, matching, oneOf, origin, readableFile, wholeNumber } from '../../platform/config/kinds.ts'
import { isPlaceholder } from '../../platform/config/placeholders.ts'
import { platformSettings } from '../../platform/config/platform-config.ts'
import { type Kind, setting } from '../../platform/config/setting.ts'
import type { AccountsConfig } from '../accounts/accounts-config.server.ts'

/** The settings of payments. A price list's first entry is sold; the others were sold once and are still honoured. */
export interface PaymentsConfig {
  /** The sandbox answers, once the start has put its address and keys here. */
  isSandbox: boolean
  isOff: boolean
  secretKey: string
  /** Secrets; two while one replaces the other. */
  webhookSecrets: string[]
  prices: { monthly: string[]; annual: string[] }
  /** Origin of the interface that the SDK speaks to; undefined for Stripe's own. */
  apiBase: string | undefined
  /** Whether real money moves: events of the other mode are not ours. */
  isLive: boolean
}

export const membershipSettings = {
  payments: setting({
    name: 'PAYMENTS',
    kind: oneOf(['stripe', 'sandbox', 'off']),
    byDefault: "`stripe` with Stripe's keys, else `sandbox`; a public site without keys must set it",
    sentence: '`stripe`; `sandbox`: the built-in one, no card is charged; `off`: nothing is sold',
  }),
  graceDays: setting({
    name: 'GRACE_DAYS',
    kind: wholeNumber(0, 60),
    default: 7,
    sentence: 'how long a member stays VIP after a declined card, 0 to 60',
  }),
  termsFile: setting({
    name: 'TERMS_FILE',
    kind: readableFile,
    byDefault: 'a draft, marked as such',
    sentence: 'a text file with your terms',
  }),
  privacyFile: setting({
    name: 'PRIVACY_FILE',
    kind: readableFile,
    byDefault: 'a draft, marked as such',
    sentence: 'a text file with your privacy policy',
  }),
}

const priceIds: Kind<string[]> = {
  expected: "the id of one of Stripe's prices, like price_1Abc",
  read(value) {
    const ids = list('', (id) => /^[\w.-]{3,}$/.test(id)).read(value)
    return Array.isArray(ids) && new Set(ids).size === ids.length ? ids : undefined
  },
}

const webhookSecrets: Kind<string[]> = {
  expected: 'a secret like whsec_…, or two with a comma between',
  read(value) {
    const secrets = list('', (secret) => /^\S{8,}$/.test(secret)).read(value)
    return Array.isArray(secrets) && secrets.length <= 2 ? secrets : undefined
  },
}

const needed = 'needed with the key'
const pricesSentence = 'Several, separated by commas: the first is sold, the others are older prices that still count'

/** Read only where payments are not off: then nobody asks whether they are right. */
export const stripeSettings = {
  secretKey: setting({
    name: 'STRIPE_SECRET_KEY',
    kind: matching(/^(sk|rk)_(live|test)_[A-Za-z0-9_]+$/, "one of Stripe's secret keys, like sk_live_… or rk_test_…"),
    isSecret: true,
    sentence: "Stripe's secret key, `sk_live_…`, `rk_live_…`, `sk_test_…`. A live key needs an https `PUBLIC_URL`",
  }),
  webhookSecrets: setting({
    name: 'STRIPE_WEBHOOK_SECRET',
    kind: webhookSecrets,
    isSecret: true,
    byDefault: needed,
    sentence: "the endpoint's secret `whsec_…`; two, separated by a comma, while you change it",
  }),
  monthly: setting({
    name: 'STRIPE_PRICE_MONTHLY',
    kind: priceIds,
    byDefault: needed,
    sentence: `the id of the monthly price. ${pricesSentence}`,
  }),
  annual: setting({
    name: 'STRIPE_PRICE_ANNUAL',
    kind: priceIds,
    byDefault: needed,
    sentence: `the id of the annual price. ${pricesSentence}`,
  }),
  apiBase: setting({
    name: 'STRIPE_API_BASE',
    kind: origin,
    byDefault: "Stripe's own",
    sentence: "another host for Stripe's SDK to speak to, without a path",
  }),
}

export interface MembershipConfig extends ReturnType<typeof membershipConfig> {}

export function membershipConfig(reader: SettingsReader, left: AccountsConfig) {
  const values = reader.values(membershipSettings)
  return { ...left, ...values, payments: readPayments(reader, values.payments, left) }
}

/** Placeholder of the sandbox before it runs; it opens nothing. */
const sandboxPayments: PaymentsConfig = {
  isSandbox: true,
  isOff: false,
  secretKey: 'sk_test_sandbox',
  webhookSecrets: [],
  prices: { monthly: ['price_monthly'], annual: ['price_annual'] },
  // A port that nothing can listen on: a call before the sandbox runs is refused at once.
  apiBase: 'http://127.0.0.1:0',
  isLive: false,
}

const noPayments: PaymentsConfig = { ...sandboxPayments, isSandbox: false, isOff: true }

/** A public site says how it is paid, or that nothing is sold. */
function readPayments(
  reader: SettingsReader,
  way: 'stripe' | 'sandbox' | 'off' | undefined,
  site: AccountsConfig,
): PaymentsConfig {
  if (way === 'off') return noPayments
  const { secretKey, ...others } = stripeSettings
  if (reader.isSet(secretKey)) {
    if (way === 'sandbox') {
      reader.refuse(membershipSettings.payments, 'stripe or off where STRIPE_SECRET_KEY is set')
    }
    return readStripe(reader, site)
  }
  const half = Object.values(others).find((each) => reader.isSet(each))
  if (half !== undefined) reader.refuse(secretKey, `set where ${half.name} is`)
  else if (way === 'stripe') reader.refuse(secretKey, 'set where PAYMENTS is stripe')
  else if (site.workers > 1) reader.refuse(membershipSettings.payments, 'stripe or off where WORKERS is more than 1')
  else if (way === undefined && site.isPublic) {
    reader.refuse(
      membershipSettings.payments,
      "said on a public site without Stripe's keys: stripe with STRIPE_SECRET_KEY and the others, off to sell nothing, or sandbox to try it without charging a card",
    )
  }
  return sandboxPayments
}

/** All of Stripe's settings: half of them would take money and give nothing for it. */
function readStripe(reader: SettingsReader, site: AccountsConfig): PaymentsConfig {
  const table = stripeSettings
  const { secretKey = '', webhookSecrets = [], monthly = [], annual = [], apiBase } = reader.values(table)
  const isLive = /^.._live_/.test(secretKey)
  for (const needed of [table.webhookSecrets, table.monthly, table.annual]) {
    if (!reader.isSet(needed)) reader.refuse(needed, needed.kind.expected)
  }
  if (annual.some((price) => monthly.includes(price))) reader.refuse(table.annual, 'another price than the monthly one')
  if (site.isPublic || isLive) {
    reader.refusePlaceholders({ secretKey: table.secretKey })
    if (webhookSecrets.some(isPlaceholder)) reader.refusePlaceholder(table.webhookSecrets)
    if (monthly.some(isPlaceholder)) reader.refuse(table.monthly, ownPrice)
    if (annual.some(isPlaceholder)) reader.refuse(table.annual, ownPrice)
  }
  if (isLive && !(site.publicUrlIsSet && site.publicUrl.startsWith('https:'))) {
    reader.refuse(platformSettings.publicUrl, 'the https address of the site where STRIPE_SECRET_KEY is a live key')
  }
  // A live key and the cards' secrets are never sent in clear over a network.
  if (isLive && apiBase?.startsWith('http:') === true && !isLoopback(new URL(apiBase).hostname)) {
    reader.refuse(table.apiBase, 'an https address with a live key')
  }
  return { isSandbox: false, isOff: false, secretKey, webhookSecrets, prices: { monthly, annual }, apiBase, isLive }
}

const ownPrice = "the id of one of Stripe's prices, and not the placeholder of an example"
