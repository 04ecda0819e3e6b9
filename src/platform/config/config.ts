import ipaddr from 'ipaddr.js'
import { accessSync, constants } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isLoopback } from '../is-loopback.ts'
import { readRsaPublicKey } from './rsa-public-key.ts'

/** One of the three places downloads live. A domain stands for itself and its subdomains. */
export interface FileHost {
  label: string
  /** Lower case; `mega.nz` and `*.mega.nz` mean the same. */
  domains: string[]
}

/**
 * What the environment says, as the process reads it once. `app.config` is this without the first values of texts, which
 * administrators change while the site runs.
 */
export interface Config extends AppConfig, TextSettings {}

/** The texts that the environment gives a first value; `app.texts.inForce` has those in force. */
export interface TextSettings {
  brandName: string
  contactEmail: string
  dmcaEmail: string
  communityUrl: string
  vipCommunityUrl: string
  /** Stands on the denied view of VIP pages. */
  accessDeniedMessage: string
}

/** The settings that never change while the process runs. */
export interface AppConfig {
  /** The addresses that it listens on. While `HOST` is unset both of this machine's own, the second where there is one. */
  hosts: readonly string[]
  port: number
  /**
   * Others than the operator reach it: nothing that is only good for a trial may run unasked
   * (docs/spec/security.md#modes).
   */
  isPublic: boolean
  /** Origin of the site as visitors know it, without a trailing slash. */
  publicUrl: string
  /** False while `PUBLIC_URL` is unset: then every spelling of the loopback address is the site's own. */
  publicUrlIsSet: boolean
  /** Whether browsers are told to insist on https for every name below the site's own, too. */
  hstsSubdomains: boolean
  /** Unset: the embedded database in `dataDir`. */
  databaseUrl: string | undefined
  /** The same database with the role that owns its schema; unset: the role of `databaseUrl` does. A secret. */
  migrationDatabaseUrl: string | undefined
  dataDir: string
  /** How long memory answers after the last word of a PostgreSQL that is away. */
  serveWithoutDatabaseSeconds: number
  /** Whether the embedded database waits for the disk at each commit, so that a power cut loses none. */
  embeddedSync: boolean
  /** IANA name; decides "today", months and the day of a date without a time. */
  timeZone: string
  /** Whose public holidays are no business days: a country, or a part of one (`US`, `DE-BY`). */
  holidays: string
  clientApiKey: string
  fileHosts: [FileHost, FileHost, FileHost]
  /** What administrators have saved goes before it. */
  gateway: GatewayConfig
  /** Whether links are checked by the clock. */
  checksLinks: boolean
  /** Ports that links are asked at besides 80 and 443. */
  linkCheckPorts: number[]
  payments: PaymentsConfig
  /** How long a member whose card was refused stays VIP. */
  graceDays: number
  /** How long before its post date VIPs see a scheduled free entry, in days of 24 hours; 0: not at all. */
  earlyAccessDays: number
  /** Files with the operator's own texts; unset: drafts, marked as such. */
  termsFile: string | undefined
  privacyFile: string | undefined
  /** Whether an empty catalogue is filled with the demo's. */
  demo: boolean
  /** Whether the demo's accounts are made and their passwords told: never on a public site. */
  hasDemoAccounts: boolean
  /** Networks whose forwarding headers are believed, each as `address/bits`; none by default. */
  trustedProxies: string[]
  /** Limits are shared over it by all instances; unset: each process counts for itself. A secret: may hold a password. */
  redisUrl: string | undefined
  /** The bucket for files of evidence; unset: `dataDir`/evidence. A secret: holds a key. */
  evidenceUrl: string | undefined
  /** Unset: each mail is a file in `dataDir`/mail. A secret: may hold a password. */
  smtpUrl: string | undefined
  /** The form service that inquiries are given to; unset: they are kept here and mailed. */
  supportFormUrl: string | undefined
  /** The sender of every mail; named after the site, it goes by the name in force (`SiteTexts.sender`). */
  mailFrom: { name: string; address: string }
  /** The first administrator, which the start creates if there is none. */
  firstAdmin: { email: string; password: string } | undefined
  /** How much memory finished answers may take; 0 computes each anew. */
  answerCacheMegabytes: number
  /** Where people tell of a weakness: an address of the web, or `mailto:` and one of email. Unset: nowhere. */
  securityContact: string | undefined
  /** Whether nothing is published before another person than who recorded its rights has verified them. */
  requiresSecondPerson: boolean
  /** Whether an administrator without a second factor may do no more than set one up. */
  requiresAdminSecondFactor: boolean
  /** How long the audit log keeps its events. */
  auditDays: number
  /** How long after a notice is over the site keeps postal address, telephone and signature of its sender. */
  noticeDays: number
  logLevel: string
}

const textSettings = [
  'brandName',
  'contactEmail',
  'dmcaEmail',
  'communityUrl',
  'vipCommunityUrl',
  'accessDeniedMessage',
] as const satisfies readonly (keyof TextSettings)[]

/** The settings that never change: an object that the others cannot be read from, also not past the types. */
export function appConfigOf(config: Config): Readonly<AppConfig> {
  const fixed: AppConfig & Partial<TextSettings> = { ...config }
  for (const text of textSettings) delete fixed[text]
  return Object.freeze(fixed)
}

export const gatewayProviders = ['local', 'linkvertise', 'off'] as const
export type GatewayProvider = (typeof gatewayProviders)[number]

/** What free visitors pass on their way to a download. */
export interface GatewayConfig {
  provider: GatewayProvider
  /** The operator's publisher id at Linkvertise; '' for none. */
  account: string
  /** Linkvertise's key as it was given: SPKI as PEM or its base64; '' for none. */
  publicKey: string
  /** Leaves the percent-encoding out of Linkvertise's addresses. */
  raw: boolean
  waitSeconds: number
}

/** The bounds of the wait before a download, in seconds: a ticket lives for 30 minutes. */
export const gatewayWaitBounds = { min: 0, max: 600 } as const

/** A publisher id, as Linkvertise gives them out. */
export const publisherIdPattern = /^[1-9]\d{0,17}$/

/**
 * The publisher id that other programs fall back to. It is a stranger's: with it, the gateway would earn for them
 * (docs/spec/catalogue.md#gateway-linkvertise).
 */
export const strangersPublisherId = '518238'

/** Whether an account is the operator's own. */
export function isOwnAccount(account: string): boolean {
  return account !== '' && account !== strangersPublisherId
}

/** Where payments go. A price list's first entry is sold; the others were sold once and are still honoured. */
export interface PaymentsConfig {
  /** The sandbox answers, once the start has put its address and keys here. */
  isSandbox: boolean
  /** Nothing is sold, and nobody is asked. */
  isOff: boolean
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

/** What `HOLIDAYS` is where it is not set. */
export const defaultHolidays = 'US'

/** An invalid value of a setting. The message names the variable, what it should be and what was given. */
export class ConfigError extends Error {
  readonly variable: string

  constructor(variable: string, expected: string, given: string) {
    super(`${variable} must be ${expected}. It is ${JSON.stringify(given)}.`)
    this.name = 'ConfigError'
    this.variable = variable
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
 * @throws {ConfigError} for the first invalid value
 */
export function readConfig(env: Environment): Config {
  const port = integer(env, 'PORT', 3000, 0, 65_535)
  const databaseUrl = postgresAddress(env, 'DATABASE_URL')
  const migrationDatabaseUrl = postgresAddress(env, 'MIGRATION_DATABASE_URL')
  const hosts = text(env, 'HOST') === undefined ? ['127.0.0.1', '::1'] : [host(env, 'HOST')]
  const setUrl = text(env, 'PUBLIC_URL')
  const publicUrl = setUrl === undefined ? `http://localhost:${port}` : origin('PUBLIC_URL', setUrl)
  const isPublic = publicUrl.startsWith('https:') || !hosts.every(isLoopback)
  // What is filled in by itself is for a trial on this machine.
  const demo = flag(env, 'DEMO', text(env, 'ADMIN_EMAIL') === undefined && databaseUrl === undefined && !isPublic)
  if (isPublic) refusePlaceholders(env)
  if (migrationDatabaseUrl !== undefined && databaseUrl === undefined) {
    throw new ConfigError('DATABASE_URL', 'set where MIGRATION_DATABASE_URL is', '')
  }
  return Object.freeze<Config>({
    hosts,
    port,
    isPublic,
    publicUrl,
    publicUrlIsSet: setUrl !== undefined,
    hstsSubdomains: flag(env, 'HSTS_SUBDOMAINS', false),
    databaseUrl,
    migrationDatabaseUrl,
    dataDir: resolve(text(env, 'DATA_DIR') ?? './data'),
    serveWithoutDatabaseSeconds: integer(env, 'SERVE_WITHOUT_DATABASE_SECONDS', 60, 1, 3_600),
    embeddedSync: oneOf(env, 'EMBEDDED_SYNC', ['on', 'off'] as const, 'on') === 'on',
    brandName: brand(env),
    contactEmail: email(env, 'CONTACT_EMAIL', defaultContact),
    dmcaEmail: email(env, 'DMCA_EMAIL', 'dmca@example.org'),
    communityUrl: webAddress(env, 'COMMUNITY_URL', 'https://discord.com/'),
    vipCommunityUrl: webAddress(env, 'VIP_COMMUNITY_URL', 'https://discord.com/'),
    accessDeniedMessage: sentence(
      env,
      'ACCESS_DENIED_MESSAGE',
      'This content is exclusively available to VIP members.',
    ),
    timeZone: timeZone(env, 'SITE_TIME_ZONE', 'UTC'),
    holidays: holidays(env, 'HOLIDAYS'),
    clientApiKey: text(env, 'CLIENT_API_KEY') ?? 'daybook-web',
    fileHosts: fileHosts(env, demo ? demoFileHosts : defaultFileHosts),
    gateway: gateway(env),
    // A trial on this machine asks nobody, and may have no network.
    checksLinks: oneOf(env, 'LINK_CHECKS', ['on', 'off'] as const, isPublic ? 'on' : 'off') === 'on',
    linkCheckPorts: ports(env, 'LINK_CHECK_PORTS'),
    payments: payments(env, { isPublic, publicUrl: setUrl }),
    graceDays: integer(env, 'GRACE_DAYS', 7, 0, 60),
    earlyAccessDays: integer(env, 'EARLY_ACCESS_DAYS', 0, 0, 90),
    termsFile: readableFile(env, 'TERMS_FILE'),
    privacyFile: readableFile(env, 'PRIVACY_FILE'),
    demo,
    hasDemoAccounts: demo && !isPublic,
    trustedProxies: networks(env, 'TRUSTED_PROXIES', { isPublic }),
    redisUrl: secretAddress(env, 'REDIS_URL', ['redis:', 'rediss:'], 'redis://cache.internal:6379'),
    evidenceUrl: bucketAddress(env, 'EVIDENCE_URL'),
    smtpUrl: secretAddress(env, 'SMTP_URL', ['smtp:', 'smtps:'], 'smtp://user:password@mail.example:587'),
    supportFormUrl: optionalAddress(env, 'SUPPORT_FORM_URL'),
    mailFrom: mailFrom(env),
    firstAdmin: firstAdmin(env),
    answerCacheMegabytes: integer(env, 'ANSWER_CACHE_MB', 64, 0, 16_384),
    requiresSecondPerson: flag(env, 'REQUIRE_SECOND_PERSON', false),
    requiresAdminSecondFactor: flag(env, 'REQUIRE_ADMIN_SECOND_FACTOR', publicUrl.startsWith('https:')),
    // The database keeps events for 30 days, whoever deletes (migration 0012).
    auditDays: integer(env, 'AUDIT_DAYS', 400, 30, 36_500),
    // An appeal may come for 183 days (docs/decisions/2026-11-23-forgetting-notices.md).
    noticeDays: integer(env, 'NOTICE_DAYS', 1_095, 365, 36_500),
    securityContact: securityContact(env),
    logLevel: oneOf(env, 'LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const, 'info'),
  })
}

/** The names of all settings: those that are asked for. */
export function settingNames(): ReadonlySet<string> {
  const names = new Set<string>()
  readConfig(
    new Proxy<Environment>(
      {},
      {
        get(_nothing, name) {
          names.add(String(name))
          return undefined
        },
      },
    ),
  )
  return names
}

function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? undefined : value
}

function integer(env: Environment, name: string, byDefault: number, min: number, max: number): number {
  const value = text(env, name)
  if (value === undefined) return byDefault
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new ConfigError(name, `a whole number from ${min} to ${max}`, value)
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

function host(env: Environment, name: string): string {
  const value = text(env, name) ?? ''
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
  return optionalAddress(env, name) ?? byDefault
}

/** The start asks whether the calendar has it (`checkHolidays`): that takes code which the settings do not need. */
function holidays(env: Environment, name: string): string {
  const value = text(env, name)?.toUpperCase() ?? defaultHolidays
  if (!/^[A-Z]{2}(-[A-Z0-9]{1,8}){0,2}$/.test(value)) {
    throw new ConfigError(name, 'a country or a part of one, like US or DE-BY', value)
  }
  return value
}

function optionalAddress(env: Environment, name: string): string | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ConfigError(name, 'an http or https address', value)
  }
  if (url.username !== '' || url.password !== '') {
    // No request can be sent there, and no page may show it.
    throw new ConfigError(name, 'an http or https address without a name and password', '***')
  }
  return url.href
}

const defaultContact = 'contact@example.org'
const emailPattern = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/

function email(env: Environment, name: string, byDefault: string): string {
  const value = text(env, name)
  if (value === undefined) return byDefault
  if (!emailPattern.test(value)) {
    throw new ConfigError(name, 'an email address like desk@library.example', value)
  }
  return value
}

/** For `/.well-known/security.txt` (RFC 9116), as an address with its scheme. */
function securityContact(env: Environment): string | undefined {
  const value = text(env, 'SECURITY_CONTACT')
  if (value === undefined) return undefined
  if (emailPattern.test(value) && /^[\x21-\x7e]+$/.test(value)) return `mailto:${value}`
  const url = URL.parse(value)
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href
  throw new ConfigError('SECURITY_CONTACT', 'an email address or an https address', value)
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
function postgresAddress(env: Environment, name: string): string | undefined {
  const value = text(env, name)
  if (value !== undefined && !/^postgres(ql)?:\/\//.test(value)) {
    throw new ConfigError(name, 'an address that starts with postgresql://', '***')
  }
  return value
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

/** @throws {ConfigError} without the value: it holds a key */
function bucketAddress(env: Environment, name: string): string | undefined {
  const example = 'https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket?region=eu-central-1'
  const value = secretAddress(env, name, ['https:', 'http:'], example)
  if (value === undefined) return undefined
  const { username, password, pathname, protocol, hostname } = new URL(value)
  if (username === '' || password === '' || pathname === '/')
    throw new ConfigError(name, `an address like ${example}`, '***')
  if (protocol === 'http:' && !isLoopback(hostname)) {
    throw new ConfigError(name, 'an https address, as evidence may not travel in clear', '***')
  }
  return value
}

/** A comma between two; an address alone is a network of one. */
function networks(env: Environment, name: string, { isPublic }: { isPublic: boolean }): string[] {
  return (text(env, name) ?? '')
    .split(',')
    .map((network) => network.trim())
    .filter((network) => network !== '')
    .map((network) => {
      // The parser also takes `10/8` and `010.0.0.0/8`, which are not the networks that they look like.
      const [address = ''] = network.split('/')
      if (isPublic && isEverybody(network)) {
        throw new ConfigError(
          name,
          'the networks of your own proxies on a public site, not those of everybody',
          network,
        )
      }
      if (isIP(address) !== 0 && ipaddr.isValidCIDR(network)) return network
      if (isIP(network) !== 0) return `${network}/${isIP(network) === 4 ? 32 : 128}`
      throw new ConfigError(name, 'a list of networks like 10.0.0.0/8, 2001:db8::/32', network)
    })
}

/** So much of IPv4 or of IPv6 that strangers are in it: they could name any address as their own. */
function isEverybody(network: string): boolean {
  if (!ipaddr.isValidCIDR(network)) return false
  const [address, bits] = ipaddr.parseCIDR(network)
  if (privateIpv6.some((own) => address.kind() === 'ipv6' && bits >= own[1] && address.match(own))) return false
  if ('isIPv4MappedAddress' in address && address.isIPv4MappedAddress()) return bits < 96 + minBitsOfProxies.ipv4
  return bits < minBitsOfProxies[address.kind()]
}

/** The largest network of private addresses of IPv4 is 10.0.0.0/8. Nobody on the internet has 2^112 addresses of IPv6. */
const minBitsOfProxies = { ipv4: 8, ipv6: 16 }
/** Private networks of IPv6, and those of one link: no stranger is in them, however large they are. */
const privateIpv6 = [ipaddr.parseCIDR('fc00::/7'), ipaddr.parseCIDR('fe80::/10')]

/** Variables that are a secret, or hold one in an address. */
const secrets = ['ADMIN_PASSWORD', 'DATABASE_URL', 'MIGRATION_DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'EVIDENCE_URL']

/** @throws {ConfigError} for a secret that stands in an example, and is known to everybody */
function refusePlaceholders(env: Environment): void {
  for (const name of secrets) {
    const value = text(env, name) ?? ''
    const password = URL.parse(value)?.password
    if (isPlaceholder(password === undefined ? value : password)) throw placeholder(name)
  }
}

function placeholder(name: string): ConfigError {
  return new ConfigError(name, 'a secret of your own, and not the placeholder of an example', '***')
}

const placeholderWords =
  /change[\W_]*(me|this|it)|replace[\W_]*(me|this|with)|place[\W_]*holder|example|your[\W_]*(own|stripe|secret|api|key|password|token|live|webhook)|^(todo|dummy|fixme|pass(word|wort)?|secret([\W_]*key)?|none|null|undefined)$/i

/** `sk_live_changeme`, `whsec_example`, `xxx`, `…`: what stands behind the prefix was never given out by anybody. */
function isPlaceholder(secret: string): boolean {
  const own = secret.replace(/^((sk|rk)_(live|test)|whsec|price)_/, '')
  return placeholderWords.test(own) || /^(.)\1{2,}$|^[.…*<>x_-]+$/i.test(own)
}

/**
 * The address alone makes nobody: the password may be taken out of the environment once the administrator exists. How
 * good it is, the accounts judge.
 */
function firstAdmin(env: Environment): Config['firstAdmin'] {
  const password = env['ADMIN_PASSWORD'] ?? ''
  if (password === '') {
    email(env, 'ADMIN_EMAIL', defaultContact)
    return undefined
  }
  if (text(env, 'ADMIN_EMAIL') === undefined) {
    throw new ConfigError('ADMIN_EMAIL', 'the address of the administrator whose password is ADMIN_PASSWORD', '')
  }
  return { email: email(env, 'ADMIN_EMAIL', defaultContact), password }
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

const paymentVariables = ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_MONTHLY', 'STRIPE_PRICE_ANNUAL', 'STRIPE_API_BASE']

/** Where they stand beside each other: how public the site is decides what payments may be. */
interface Site {
  isPublic: boolean
  /** As it was set. */
  publicUrl: string | undefined
}

/** @throws {ConfigError} for a public site that says neither how it is paid nor that nothing is sold */
function payments(env: Environment, site: Site): PaymentsConfig {
  const ways = ['stripe', 'sandbox', 'off'] as const
  const said = text(env, 'PAYMENTS')
  const way = said === undefined ? undefined : oneOf(env, 'PAYMENTS', ways, 'stripe')
  if (way === 'off') return noPayments
  const stripe = stripePayments(env, site)
  if (stripe === undefined) {
    if (way === 'stripe') throw new ConfigError('STRIPE_SECRET_KEY', 'set where PAYMENTS is stripe', '')
    if (way === 'sandbox' || !site.isPublic) return sandboxPayments
    throw new ConfigError(
      'PAYMENTS',
      "said on a public site without Stripe's keys: stripe with STRIPE_SECRET_KEY and the others, off to sell nothing, or sandbox to try it without charging a card",
      '',
    )
  }
  if (way === 'sandbox') throw new ConfigError('PAYMENTS', 'stripe or off where STRIPE_SECRET_KEY is set', 'sandbox')
  return stripe
}

/** All of Stripe's settings or none: half of them would take money and give nothing for it. */
function stripePayments(env: Environment, { isPublic, publicUrl }: Site): PaymentsConfig | undefined {
  const secretKey = text(env, 'STRIPE_SECRET_KEY')
  if (secretKey === undefined) {
    const set = paymentVariables.find((name) => text(env, name) !== undefined)
    if (set === undefined) return undefined
    throw new ConfigError('STRIPE_SECRET_KEY', `set where ${set} is`, '')
  }
  if (!/^(sk|rk)_(live|test)_[A-Za-z0-9_]+$/.test(secretKey)) {
    throw new ConfigError('STRIPE_SECRET_KEY', "one of Stripe's secret keys, like sk_live_… or rk_test_…", '***')
  }
  const isLive = /^.._live_/.test(secretKey)
  const isInEarnest = isPublic || isLive
  if (isInEarnest && isPlaceholder(secretKey)) throw placeholder('STRIPE_SECRET_KEY')
  const webhookSecrets = list(env, 'STRIPE_WEBHOOK_SECRET')
  if (webhookSecrets.length === 0 || webhookSecrets.length > 2 || webhookSecrets.some((one) => !/^\S{8,}$/.test(one))) {
    throw new ConfigError('STRIPE_WEBHOOK_SECRET', 'a secret like whsec_…, or two with a comma between', '***')
  }
  if (isInEarnest && webhookSecrets.some(isPlaceholder)) throw placeholder('STRIPE_WEBHOOK_SECRET')
  const monthly = prices(env, 'STRIPE_PRICE_MONTHLY')
  const annual = prices(env, 'STRIPE_PRICE_ANNUAL')
  const both = annual.find((price) => monthly.includes(price))
  if (both !== undefined) throw new ConfigError('STRIPE_PRICE_ANNUAL', 'another price than the monthly one', both)
  for (const [name, ids] of [
    ['STRIPE_PRICE_MONTHLY', monthly],
    ['STRIPE_PRICE_ANNUAL', annual],
  ] as const) {
    if (isInEarnest && ids.some(isPlaceholder)) {
      throw new ConfigError(name, "the id of one of Stripe's prices, and not the placeholder of an example", ids.join())
    }
  }
  if (isLive && publicUrl?.startsWith('https:') !== true) {
    throw new ConfigError(
      'PUBLIC_URL',
      'the https address of the site where STRIPE_SECRET_KEY is a live key',
      publicUrl ?? '',
    )
  }
  const base = text(env, 'STRIPE_API_BASE')
  const apiBase = base === undefined ? undefined : origin('STRIPE_API_BASE', base)
  // A live key and the cards' secrets are never sent in clear over a network.
  if (isLive && apiBase?.startsWith('http:') === true && !isLoopback(new URL(apiBase).hostname)) {
    throw new ConfigError('STRIPE_API_BASE', 'an https address with a live key', apiBase)
  }
  return { isSandbox: false, isOff: false, secretKey, webhookSecrets, prices: { monthly, annual }, apiBase, isLive }
}

/** @throws {ConfigError} for a gateway that cannot work; one without an account of its own is off, and the start says so */
function gateway(env: Environment): GatewayConfig {
  const provider = oneOf(env, 'GATEWAY_PROVIDER', gatewayProviders, 'local')
  const account = text(env, 'LINKVERTISE_ACCOUNT') ?? ''
  if (account !== '' && !publisherIdPattern.test(account)) {
    throw new ConfigError('LINKVERTISE_ACCOUNT', 'your publisher id at Linkvertise, a number', account)
  }
  const publicKey = text(env, 'LINKVERTISE_PUBLIC_KEY') ?? ''
  const isMissing = publicKey === '' && provider === 'linkvertise' && isOwnAccount(account)
  if (isMissing || (publicKey !== '' && readRsaPublicKey(publicKey) === undefined)) {
    throw new ConfigError(
      'LINKVERTISE_PUBLIC_KEY',
      'the 2048-bit RSA key of Linkvertise, its SPKI as PEM or as the base64 of that',
      publicKey,
    )
  }
  return {
    provider,
    account,
    publicKey,
    raw: flag(env, 'LINKVERTISE_RAW', false),
    waitSeconds: integer(env, 'GATEWAY_WAIT_SECONDS', 5, gatewayWaitBounds.min, gatewayWaitBounds.max),
  }
}

function prices(env: Environment, name: string): string[] {
  const ids = list(env, name)
  const isGood = ids.length > 0 && ids.every((id) => /^[\w.-]{3,}$/.test(id)) && new Set(ids).size === ids.length
  if (!isGood) throw new ConfigError(name, "the id of one of Stripe's prices, like price_1Abc", text(env, name) ?? '')
  return ids
}

function ports(env: Environment, name: string): number[] {
  const numbers = list(env, name).map((entry) => (/^\d{1,5}$/.test(entry) ? Number(entry) : Number.NaN))
  if (!numbers.every((port) => port >= 1 && port <= 65_535)) {
    throw new ConfigError(name, 'port numbers with a comma between two, like 8080, 8443', text(env, name) ?? '')
  }
  return numbers
}

/** Comma between two; what is empty is left in, so that its reader refuses it. */
function list(env: Environment, name: string): string[] {
  return (
    text(env, name)
      ?.split(',')
      .map((entry) => entry.trim()) ?? []
  )
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

function sentence(env: Environment, name: string, byDefault: string): string {
  const value = text(env, name) ?? byDefault
  if (value.length > 300 || /\p{Cc}/u.test(value)) {
    throw new ConfigError(name, 'a text of at most 300 characters on one line', value)
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
