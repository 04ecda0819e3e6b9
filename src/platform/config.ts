import ipaddr from 'ipaddr.js'
import { accessSync, constants } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

/** One of the three places downloads live. A domain stands for itself and its subdomains. */
export interface FileHost {
  label: string
  /** Lower case; `mega.nz` and `*.mega.nz` mean the same. */
  domains: string[]
}

export interface Config {
  host: string
  port: number
  /** Origin of the site as visitors know it, without a trailing slash. */
  publicUrl: string
  /** False while `PUBLIC_URL` is unset: then every spelling of the loopback address is the site's own. */
  publicUrlIsSet: boolean
  /** Unset: the embedded database in `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  brandName: string
  contactEmail: string
  dmcaEmail: string
  communityUrl: string
  vipCommunityUrl: string
  /** IANA name; reckons "today", months and the day of a date without a time. */
  timeZone: string
  clientApiKey: string
  fileHosts: [FileHost, FileHost, FileHost]
  gatewayProvider: 'off'
  payments: PaymentsConfig
  /** How long a member whose card was refused stays VIP. */
  graceDays: number
  /** Files with the operator's own texts; unset: drafts, marked as such. */
  termsFile: string | undefined
  privacyFile: string | undefined
  demo: boolean
  /** Networks whose forwarding headers are believed, each as `address/bits`; none by default. */
  trustedProxies: string[]
  /** Limits are shared over it by all instances; unset: each process counts for itself. A secret: may hold a password. */
  redisUrl: string | undefined
  /** Unset: each mail is a file in `dataDir`/mail. A secret: may hold a password. */
  smtpUrl: string | undefined
  /** The sender of every mail. */
  mailFrom: { name: string; address: string }
  /** Whom the start makes the first administrator, if there is none. */
  firstAdmin: { email: string; password: string } | undefined
  /** How much memory finished answers may take; 0 computes each anew. */
  answerCacheMegabytes: number
  logLevel: string
}

/** Where payments go. A price list's first entry is sold; the others were sold once and are still honoured. */
export interface PaymentsConfig {
  /** No keys are set: the sandbox answers, once the start has put its address and keys here. */
  isSandbox: boolean
  /** A secret. */
  secretKey: string
  /** Secrets; two while one takes the place of the other. */
  webhookSecrets: string[]
  prices: { monthly: string[]; annual: string[] }
  /** Origin of the interface that the SDK speaks to; undefined for Stripe's own. */
  apiBase: string | undefined
  /** Whether real money moves: events of the other mode are not ours. */
  isLive: boolean
}

/** A value that cannot be meant. The message names the variable, what it should be and what was given. */
export class ConfigError extends Error {
  constructor(variable: string, expected: string, given: string) {
    super(`${variable} must be ${expected}. It is ${JSON.stringify(given)}.`)
    this.name = 'ConfigError'
  }
}

type Environment = Record<string, string | undefined>

const defaultFileHosts: [FileHost, FileHost, FileHost] = [
  { label: 'Mega', domains: ['mega.nz'] },
  { label: 'Gofile', domains: ['gofile.io'] },
  { label: 'Pixeldrain', domains: ['pixeldrain.com'] },
]

/** The demo catalogue's works lie at these places. */
const demoFileHosts: [FileHost, FileHost, FileHost] = [
  { label: 'Project Gutenberg', domains: ['gutenberg.org'] },
  { label: 'PGLAF Mirror', domains: ['pglaf.org'] },
  { label: 'Internet Archive', domains: ['archive.org'] },
]

/**
 * Reads the whole configuration from the environment: this is the only place that does.
 * @throws {ConfigError} for the first value that cannot be meant
 */
export function readConfig(env: Environment): Config {
  const port = integer(env, 'PORT', 3000, 0, 65_535)
  const databaseUrl = text(env, 'DATABASE_URL')
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new ConfigError('DATABASE_URL', 'an address that starts with postgresql://', '***')
  }
  const publicUrl = text(env, 'PUBLIC_URL')
  const demo = flag(env, 'DEMO', databaseUrl === undefined && text(env, 'ADMIN_EMAIL') === undefined)
  return Object.freeze<Config>({
    host: host(env, 'HOST', '127.0.0.1'),
    port,
    publicUrl: publicUrl === undefined ? `http://localhost:${port}` : origin('PUBLIC_URL', publicUrl),
    publicUrlIsSet: publicUrl !== undefined,
    databaseUrl,
    dataDir: resolve(text(env, 'DATA_DIR') ?? './data'),
    brandName: brand(env),
    contactEmail: email(env, 'CONTACT_EMAIL', defaultContact),
    dmcaEmail: email(env, 'DMCA_EMAIL', 'dmca@example.org'),
    communityUrl: webAddress(env, 'COMMUNITY_URL', 'https://discord.com/'),
    vipCommunityUrl: webAddress(env, 'VIP_COMMUNITY_URL', 'https://discord.com/'),
    timeZone: timeZone(env, 'SITE_TIME_ZONE', 'UTC'),
    clientApiKey: text(env, 'CLIENT_API_KEY') ?? 'daybook-web',
    fileHosts: fileHosts(env, demo ? demoFileHosts : defaultFileHosts),
    gatewayProvider: oneOf(env, 'GATEWAY_PROVIDER', ['off'] as const, 'off'),
    payments: payments(env),
    graceDays: integer(env, 'GRACE_DAYS', 7, 0, 60),
    termsFile: readableFile(env, 'TERMS_FILE'),
    privacyFile: readableFile(env, 'PRIVACY_FILE'),
    demo,
    trustedProxies: networks(env, 'TRUSTED_PROXIES'),
    redisUrl: secretAddress(env, 'REDIS_URL', ['redis:', 'rediss:'], 'redis://cache.internal:6379'),
    smtpUrl: secretAddress(env, 'SMTP_URL', ['smtp:', 'smtps:'], 'smtp://user:password@mail.example:587'),
    mailFrom: mailFrom(env),
    firstAdmin: firstAdmin(env),
    answerCacheMegabytes: integer(env, 'ANSWER_CACHE_MB', 64, 0, 16_384),
    logLevel: oneOf(env, 'LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const, 'info'),
  })
}

function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? undefined : value
}

function integer(env: Environment, name: string, byDefault: number, least: number, most: number): number {
  const value = text(env, name)
  if (value === undefined) return byDefault
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new ConfigError(name, `a whole number from ${least} to ${most}`, value)
  }
  return number
}

function flag(env: Environment, name: string, byDefault: boolean): boolean {
  const value = text(env, name)
  if (value === undefined) return byDefault
  if (value !== '0' && value !== '1') throw new ConfigError(name, '0 or 1', value)
  return value === '1'
}

function oneOf<const T extends string>(env: Environment, name: string, allowed: readonly T[], byDefault: T): T {
  const value = text(env, name)
  if (value === undefined) return byDefault
  const found = allowed.find((candidate) => candidate === value)
  if (found === undefined) throw new ConfigError(name, `one of ${allowed.join(', ')}`, value)
  return found
}

function host(env: Environment, name: string, byDefault: string): string {
  const value = text(env, name) ?? byDefault
  if (isIP(value) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value)) {
    throw new ConfigError(name, 'an IP address or a host name', value)
  }
  return value
}

function origin(name: string, value: string): string {
  const url = URL.parse(value)
  const plain =
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === ''
  if (!plain) throw new ConfigError(name, 'an http or https address without path, like https://library.example', value)
  return url.origin
}

function webAddress(env: Environment, name: string, byDefault: string): string {
  const value = text(env, name)
  if (value === undefined) return byDefault
  const url = URL.parse(value)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ConfigError(name, 'an http or https address', value)
  }
  return url.href
}

const defaultContact = 'contact@example.org'
const emailPattern = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/

function email(env: Environment, name: string, byDefault: string): string {
  const value = text(env, name)
  if (value === undefined) return byDefault
  if (!emailPattern.test(value)) {
    throw new ConfigError(name, 'an e-mail address like desk@library.example', value)
  }
  return value
}

/** `Name <address>` or an address alone, which is named after the site. */
function mailFrom(env: Environment): Config['mailFrom'] {
  const value = text(env, 'MAIL_FROM')
  if (value === undefined) return { name: brand(env), address: email(env, 'CONTACT_EMAIL', defaultContact) }
  const { name, address } = /^(?:"?(?<name>[^"<>]*?)"?\s*<(?<address>[^<>]+)>)$/.exec(value)?.groups ?? {}
  const from = { name: name === undefined || name === '' ? brand(env) : name, address: address ?? value }
  if (!emailPattern.test(from.address) || /\p{Cc}/u.test(value)) {
    throw new ConfigError('MAIL_FROM', 'a sender like Library <desk@library.example>', value)
  }
  return from
}

/** @throws {ConfigError} without the value: it may hold a password */
function secretAddress(
  env: Environment,
  name: string,
  protocols: readonly string[],
  example: string,
): string | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (url === null || url.hostname === '' || !protocols.includes(url.protocol)) {
    throw new ConfigError(name, `an address like ${example}`, '***')
  }
  return value
}

/** A comma between two; an address alone is a network of one. */
function networks(env: Environment, name: string): string[] {
  return (text(env, name) ?? '')
    .split(',')
    .map((network) => network.trim())
    .filter((network) => network !== '')
    .map((network) => {
      // The parser also takes `10/8` and `010.0.0.0/8`, which are not the networks that they look like.
      const [address = ''] = network.split('/')
      if (isIP(address) !== 0 && ipaddr.isValidCIDR(network)) return network
      if (isIP(network) !== 0) return `${network}/${isIP(network) === 4 ? 32 : 128}`
      throw new ConfigError(name, 'a list of networks like 10.0.0.0/8, 2001:db8::/32', network)
    })
}

const leastAdminPasswordLength = 8

/** The address alone makes nobody: the password may be taken out of the environment once the administrator exists. */
function firstAdmin(env: Environment): Config['firstAdmin'] {
  const password = env['ADMIN_PASSWORD'] ?? ''
  if (password === '') {
    email(env, 'ADMIN_EMAIL', defaultContact)
    return undefined
  }
  if (text(env, 'ADMIN_EMAIL') === undefined) {
    throw new ConfigError('ADMIN_EMAIL', 'the address of the administrator whose password is ADMIN_PASSWORD', '')
  }
  if (password.length < leastAdminPasswordLength) {
    throw new ConfigError('ADMIN_PASSWORD', `at least ${leastAdminPasswordLength} characters long`, '***')
  }
  return { email: email(env, 'ADMIN_EMAIL', defaultContact), password }
}

/** What stands for the sandbox before it runs; nothing of it opens anything. */
const sandboxPayments: PaymentsConfig = {
  isSandbox: true,
  secretKey: 'sk_test_sandbox',
  webhookSecrets: [],
  prices: { monthly: ['price_monthly'], annual: ['price_annual'] },
  // A port that nothing can listen on: whoever calls before the sandbox runs is refused at once.
  apiBase: 'http://127.0.0.1:0',
  isLive: false,
}

const paymentVariables = ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_MONTHLY', 'STRIPE_PRICE_ANNUAL', 'STRIPE_API_BASE']

/** All of Stripe's settings or none: half of them would take money and give nothing for it. */
function payments(env: Environment): PaymentsConfig {
  const secretKey = text(env, 'STRIPE_SECRET_KEY')
  if (secretKey === undefined) {
    const set = paymentVariables.find((name) => text(env, name) !== undefined)
    if (set === undefined) return sandboxPayments
    throw new ConfigError('STRIPE_SECRET_KEY', `set where ${set} is`, '')
  }
  if (!/^(sk|rk)_(live|test)_[A-Za-z0-9_]+$/.test(secretKey)) {
    throw new ConfigError('STRIPE_SECRET_KEY', "one of Stripe's secret keys, like sk_live_… or rk_test_…", '***')
  }
  const isLive = /^.._live_/.test(secretKey)
  const webhookSecrets = list(env, 'STRIPE_WEBHOOK_SECRET')
  if (webhookSecrets.length === 0 || webhookSecrets.length > 2 || webhookSecrets.some((one) => !/^\S{8,}$/.test(one))) {
    throw new ConfigError('STRIPE_WEBHOOK_SECRET', 'a secret like whsec_…, or two with a comma between', '***')
  }
  const monthly = prices(env, 'STRIPE_PRICE_MONTHLY')
  const annual = prices(env, 'STRIPE_PRICE_ANNUAL')
  const both = annual.find((price) => monthly.includes(price))
  if (both !== undefined) throw new ConfigError('STRIPE_PRICE_ANNUAL', 'another price than the monthly one', both)
  const base = text(env, 'STRIPE_API_BASE')
  const apiBase = base === undefined ? undefined : origin('STRIPE_API_BASE', base)
  // A live key and the cards' secrets are never sent in clear over a network.
  if (isLive && apiBase?.startsWith('http:') === true && !isLoopback(new URL(apiBase).hostname)) {
    throw new ConfigError('STRIPE_API_BASE', 'an https address with a live key', apiBase)
  }
  return { isSandbox: false, secretKey, webhookSecrets, prices: { monthly, annual }, apiBase, isLive }
}

function prices(env: Environment, name: string): string[] {
  const ids = list(env, name)
  const isGood = ids.length > 0 && ids.every((id) => /^[\w.-]{3,}$/.test(id)) && new Set(ids).size === ids.length
  if (!isGood) throw new ConfigError(name, "the id of one of Stripe's prices, like price_1Abc", text(env, name) ?? '')
  return ids
}

/** Comma between two; what is empty is left in, so that its reader refuses it. */
function list(env: Environment, name: string): string[] {
  return (
    text(env, name)
      ?.split(',')
      .map((entry) => entry.trim()) ?? []
  )
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

function readableFile(env: Environment, name: string): string | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  try {
    accessSync(value, constants.R_OK)
  } catch {
    throw new ConfigError(name, 'the path of a text file that can be read', value)
  }
  return resolve(value)
}

function brand(env: Environment): string {
  const value = text(env, 'BRAND_NAME') ?? 'Daybook'
  if (value.length > 60 || /\p{Cc}/u.test(value)) {
    throw new ConfigError('BRAND_NAME', 'a name of at most 60 characters on one line', value)
  }
  return value
}

function timeZone(env: Environment, name: string, byDefault: string): string {
  const value = text(env, name) ?? byDefault
  try {
    // A bare offset has no rules of summer time, and PostgreSQL reads its sign the other way round.
    if (/^[+-]/.test(value)) throw new RangeError()
    return new Intl.DateTimeFormat('en-US', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    throw new ConfigError(name, 'an IANA time zone like Europe/Lisbon', value)
  }
}

function fileHosts(env: Environment, byDefault: Config['fileHosts']): Config['fileHosts'] {
  const value = text(env, 'FILE_HOSTS')
  if (value === undefined) return byDefault
  const expected = 'a JSON list of three hosts like [{"label":"Mega","domains":["mega.nz"]}, …]'
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    throw new ConfigError('FILE_HOSTS', expected, value)
  }
  if (!Array.isArray(parsed) || parsed.length !== 3) throw new ConfigError('FILE_HOSTS', expected, value)
  const hosts = parsed.map((entry: unknown): FileHost => {
    const { label, domains } = (entry ?? {}) as { label?: unknown; domains?: unknown }
    if (
      typeof label !== 'string' ||
      label.trim() === '' ||
      label.length > 40 ||
      !Array.isArray(domains) ||
      domains.length === 0
    ) {
      throw new ConfigError('FILE_HOSTS', expected, value)
    }
    return {
      label: label.trim(),
      domains: domains.map((domain: unknown) => {
        const pattern = typeof domain === 'string' ? domain.toLowerCase().replace(/^\*\./, '') : ''
        if (!/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/.test(pattern)) {
          throw new ConfigError('FILE_HOSTS', 'three hosts whose domains look like mega.nz or *.mega.nz', value)
        }
        return pattern
      }),
    }
  })
  return hosts as Config['fileHosts']
}
