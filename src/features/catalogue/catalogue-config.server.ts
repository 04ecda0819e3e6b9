import * as z from 'zod/mini'
import type { SettingsReader } from '../../platform/config/config.ts'
import { bucket, flag, list, matching, oneOf, onOrOff, ports, wholeNumber } from '../../platform/config/kinds.ts'
import { readRsaPublicKey } from '../../platform/config/rsa-public-key.ts'
import { type Kind, SettingRefusal, setting } from '../../platform/config/setting.ts'
import type { MembershipConfig } from '../membership/membership-config.server.ts'

/** One of the three places downloads live. A domain stands for itself and its subdomains. */
export interface FileHost {
  label: string
  /** Lower case; `mega.nz` and `*.mega.nz` mean the same. */
  domains: string[]
}

type FileHosts = [FileHost, FileHost, FileHost]

export const gatewayProviders = ['local', 'linkvertise', 'off'] as const
export type GatewayProvider = (typeof gatewayProviders)[number]

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

export const publisherIdPattern = /^[1-9]\d{0,17}$/

/**
 * The publisher id that other programs fall back to. It is a stranger's: with it, the gateway would earn for them
 * (docs/spec/catalogue.md#gateway-linkvertise).
 */
export const strangersPublisherId = '518238'

export function isOwnAccount(account: string): boolean {
  return account !== '' && account !== strangersPublisherId
}

const ofDomains = 'three hosts whose domains look like mega.nz or *.mega.nz'
const domain = z.string(ofDomains).check(
  z.toLowerCase(),
  z.overwrite((pattern) => pattern.replace(/^\*\./, '')),
  z.regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/, ofDomains),
)
const fileHost = z.object({
  label: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)),
  domains: z.array(domain).check(z.minLength(1)),
})
const threeHosts = z.tuple([fileHost, fileHost, fileHost])

const fileHosts: Kind<FileHosts> = {
  expected: 'a JSON list of three hosts like [{"label":"Mega","domains":["mega.nz"]}, …]',
  read(value) {
    let parsed: unknown
    try {
      parsed = JSON.parse(value)
    } catch {
      return undefined
    }
    const { data, error } = threeHosts.safeParse(parsed)
    return error?.issues.every(({ message }) => message === ofDomains) ? new SettingRefusal(ofDomains) : data
  },
  write: (hosts) => JSON.stringify(hosts),
}

const defaultFileHosts: FileHosts = [
  { label: 'Mega', domains: ['mega.nz'] },
  { label: 'Gofile', domains: ['gofile.io'] },
  { label: 'Pixeldrain', domains: ['pixeldrain.com'] },
]

const demoFileHosts: FileHosts = [
  { label: 'Project Gutenberg', domains: ['gutenberg.org'] },
  { label: 'PGLAF Mirror', domains: ['pglaf.org'] },
  { label: 'Internet Archive', domains: ['archive.org'] },
]

const coverHosts: Kind<string[]> = {
  expected: 'host names with a comma between two, like covers.example, *.images.example',
  read: (value) =>
    list('', (name) => /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/.test(name)).read(value.toLowerCase()),
}

const gatewaySettings = {
  provider: setting({
    name: 'GATEWAY_PROVIDER',
    kind: oneOf(gatewayProviders),
    default: 'local',
    sentence:
      'what free visitors pass on the way to a download ([the gateway](#the-gateway)): `local`, `linkvertise` or `off`',
  }),
  waitSeconds: setting({
    name: 'GATEWAY_WAIT_SECONDS',
    kind: wholeNumber(gatewayWaitBounds.min, gatewayWaitBounds.max),
    default: 5,
    sentence: 'the wait of the local gateway, 0 to 600',
  }),
  account: setting({
    name: 'LINKVERTISE_ACCOUNT',
    kind: matching(publisherIdPattern, 'your publisher id at Linkvertise, a number'),
    default: '',
    byDefault: 'unset',
    sentence: 'your publisher id at Linkvertise',
  }),
  publicKey: setting({
    name: 'LINKVERTISE_PUBLIC_KEY',
    kind: {
      expected: 'the 2048-bit RSA key of Linkvertise, its SPKI as PEM or as the base64 of that',
      read: (value: string) => (readRsaPublicKey(value) === undefined ? undefined : value),
    },
    default: '',
    byDefault: 'unset',
    sentence: "Linkvertise's 2048-bit RSA key: the SPKI as PEM or as the base64 of that",
  }),
  raw: setting({
    name: 'LINKVERTISE_RAW',
    kind: flag,
    default: false,
    sentence: "1 leaves the percent-encoding out of Linkvertise's addresses",
  }),
}

const ownSettings = {
  fileHosts: setting({
    name: 'FILE_HOSTS',
    kind: fileHosts,
    byDefault: 'Mega, Gofile, Pixeldrain; with the demo: Project Gutenberg, PGLAF Mirror, Internet Archive',
    sentence:
      'JSON list of three: `[{"label":"Mega","domains":["mega.nz"]}, …]`. A domain stands for itself and its subdomains',
  }),
  checksLinks: setting({
    name: 'LINK_CHECKS',
    kind: onOrOff,
    byDefault: 'on where the site is [public](#modes), else off',
    sentence: '`on`: the links of published entries are checked by the clock ([Links](#links)); `off`: not',
  }),
  linkCheckPorts: setting({
    name: 'LINK_CHECK_PORTS',
    kind: ports,
    default: [],
    byDefault: 'none',
    sentence:
      "ports that links are checked at besides 80 and 443, like `8080, 8443`. A link at any other port stays 'unknown'",
  }),
  evidenceUrl: setting({
    name: 'EVIDENCE_URL',
    kind: bucket('evidence'),
    isSecret: true,
    byDefault: 'unset: `DATA_DIR/evidence`',
    sentence:
      'the bucket for [files of evidence](#files-of-evidence), like `https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket?region=eu-central-1`',
  }),
  coverHosts: setting({
    name: 'COVER_HOSTS',
    kind: coverHosts,
    default: [],
    byDefault: 'none',
    sentence:
      'hosts that an import may fetch [covers](#covers) from, like `covers.example, *.images.example`. A name stands for itself, `*.` for all below it',
  }),
  requiresSecondPerson: setting({
    name: 'REQUIRE_SECOND_PERSON',
    kind: flag,
    default: false,
    sentence:
      '1: nothing is published before another administrator than who recorded its rights has verified them ([A second person](#a-second-person))',
  }),
  earlyAccessDays: setting({
    name: 'EARLY_ACCESS_DAYS',
    kind: wholeNumber(0, 90),
    default: 0,
    sentence:
      'how many days before its post date VIPs see a scheduled free entry, 0 to 90; 0: not at all, and nothing promises it',
  }),
  serveWithoutDatabaseSeconds: setting({
    name: 'SERVE_WITHOUT_DATABASE_SECONDS',
    kind: wholeNumber(1, 3600),
    default: 60,
    sentence:
      'how long the site answers from memory after the last contact with PostgreSQL, 1 to 3600; an entry that was removed elsewhere is gone by then',
  }),
}

export const catalogueSettings = { ...ownSettings, ...gatewaySettings }

export interface CatalogueConfig extends ReturnType<typeof catalogueConfig> {}

export function catalogueConfig(reader: SettingsReader, left: MembershipConfig) {
  const own = reader.values(ownSettings)
  if (left.isPublic) reader.refusePlaceholders(ownSettings)
  /** The first values; what administrators have saved goes before them. */
  const gateway: GatewayConfig = reader.values(gatewaySettings)
  const { publicKey } = gatewaySettings
  // One without an account of its own is off, and the start says so.
  if (gateway.provider === 'linkvertise' && isOwnAccount(gateway.account) && !reader.isSet(publicKey)) {
    reader.refuse(publicKey, publicKey.kind.expected)
  }
  return {
    ...left,
    ...own,
    fileHosts: own.fileHosts ?? (left.demo ? demoFileHosts : defaultFileHosts),
    gateway,
    // A trial on this machine asks nobody, and may have no network.
    checksLinks: own.checksLinks ?? left.isPublic,
  }
}
