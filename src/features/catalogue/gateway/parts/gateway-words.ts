import type { GatewaySettings } from '../gateway-schema.ts'

export function providerName(provider: GatewaySettings['provider']): string {
  return provider === 'linkvertise' ? 'Linkvertise' : provider
}

export function differencesIn(typed: Omit<GatewaySettings, 'version'>, saved: GatewaySettings): string[] {
  const lines = {
    provider: `Provider: ${providerName(saved.provider)}`,
    waitSeconds: `Wait: ${saved.waitSeconds} s`,
    account: `Publisher id: ${saved.account === '' ? 'none' : saved.account}`,
    publicKey: saved.publicKey === '' ? 'Public key: none' : 'Public key: another one',
    raw: saved.raw ? 'Addresses: not percent-encoded' : 'Addresses: percent-encoded',
  }
  const fields = Object.keys(lines) as (keyof typeof lines)[]
  return fields.filter((field) => typed[field] !== saved[field]).map((field) => lines[field])
}
