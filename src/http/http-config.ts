import type { SettingsReader } from '../platform/config/config.ts'
import { flag, isEverybody, networks, text, wholeNumber } from '../platform/config/kinds.ts'
import type { PlatformConfig } from '../platform/config/platform-config.ts'
import { setting } from '../platform/config/setting.ts'

export const httpSettings = {
  clientApiKey: setting({
    name: 'CLIENT_API_KEY',
    kind: text,
    default: 'daybook-web',
    sentence:
      "the site's public client key, sent in the header `api-key` of the HTTP interface. It identifies the client and opens nothing",
  }),
  trustedProxies: setting({
    name: 'TRUSTED_PROXIES',
    kind: networks,
    default: [],
    byDefault: 'none',
    sentence:
      'networks of your own proxies, `10.0.0.0/8, 2001:db8::/32`; a single address is allowed. Only their `X-Forwarded-For` counts. A public site refuses `/0`',
  }),
  hstsSubdomains: setting({
    name: 'HSTS_SUBDOMAINS',
    kind: flag,
    default: false,
    sentence: "1: with an https `PUBLIC_URL`, browsers insist on https for every name below the site's own, too",
  }),
  answerCacheMegabytes: setting({
    name: 'ANSWER_CACHE_MB',
    kind: wholeNumber(0, 16_384),
    default: 64,
    sentence: 'memory for cached answers and pages, in MiB; 0 turns the cache off',
  }),
}

export interface HttpConfig extends ReturnType<typeof httpConfig> {}

export function httpConfig(reader: SettingsReader, left: PlatformConfig) {
  const values = reader.values(httpSettings)
  const everybody = left.isPublic ? values.trustedProxies.find(isEverybody) : undefined
  if (everybody !== undefined) {
    const expected = 'the networks of your own proxies on a public site, not those of everybody'
    reader.refuse(httpSettings.trustedProxies, expected, everybody)
  }
  return { ...left, ...values }
}
