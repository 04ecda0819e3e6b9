import { addressBlockOf, siteBlockOf } from '../client-address.ts'
import type { LimitRule, RateLimits, SiteLimitRule } from './rate-limits.ts'

const definitions: LimitRule[] = []

/** The rules of all modules that are loaded, for the documentation. */
export const definedLimits: readonly LimitRule[] = definitions

export function defineLimit<Rule extends LimitRule = LimitRule>(rule: NoInfer<Rule>): Rule {
  definitions.push(rule)
  return rule
}

type Limiting = (app: { limits: RateLimits }, key: string) => Promise<() => Promise<void>>

/**
 * Defines a limit for each key, such as the id of a member.
 * @returns a function that counts one; it throws `limit.exceeded`, 429
 */
export function limitKey(rule: LimitRule): Limiting {
  defineLimit(rule)
  return ({ limits }, key) => limits.limit(rule).consume(key)
}

/**
 * Defines a limit for each network address, and one above it that all share.
 * @returns a function that counts one; it throws `limit.exceeded`, 429
 */
export function limitAddress(rule: LimitRule, siteRule?: SiteLimitRule): Limiting {
  defineLimit(rule)
  if (siteRule !== undefined) defineLimit(siteRule)
  return ({ limits }, address) => {
    const ofSite = siteRule && { rule: siteRule, caller: addressBlockOf(address) }
    return consumeAll(limits, ipKeys(rule, address), ofSite)
  }
}

/**
 * How many of its /64 blocks a /48 may use up: otherwise the tenant of one /48 (65,536 of them) uses up the site's
 * limit.
 */
const blocksOfSite = 8

/** The limit of an address, and above it that of the network which it is part of. */
export function ipKeys(rule: LimitRule, address: string): [rule: LimitRule, key: string][] {
  const wide = siteBlockOf(address)
  return [
    [rule, addressBlockOf(address)],
    ...(wide === undefined
      ? []
      : [[{ ...rule, name: `${rule.name}.wide`, points: blocksOfSite * rule.points }, wide] as [LimitRule, string]]),
  ]
}

/**
 * Consumes one of each limit, or none: after a refusal the earlier ones are restored. The narrower limits come first,
 * so that a refused caller takes no room from others.
 * @param ofSite the limit of all callers, taken last; the caller may wait there in line
 * @returns a function that restores all of them
 */
export async function consumeAll(
  limits: RateLimits,
  requests: readonly (readonly [rule: LimitRule, key: string])[],
  ofSite?: { rule: SiteLimitRule; caller: string; isSpared?: () => Promise<boolean> },
): Promise<() => Promise<void>> {
  const taken: (() => Promise<void>)[] = []
  const refund = async (): Promise<void> => {
    await Promise.all(taken.map((back) => back()))
  }
  try {
    for (const [rule, key] of requests) taken.push(await limits.limit(rule).consume(key))
    if (ofSite !== undefined) taken.push(await limits.siteLimit(ofSite.rule).consume(ofSite))
  } catch (error) {
    await refund()
    throw error
  }
  return refund
}
