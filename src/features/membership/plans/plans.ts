/** The plans (docs/spec/membership.md#plans). */
export const planTypes = ['monthly', 'annual'] as const
export type PlanType = (typeof planTypes)[number]

export interface Plan {
  type: PlanType
  name: string
  priceCents: number
  currency: 'usd'
  interval: 'month' | 'year'
}

export const plans: Record<PlanType, Plan> = {
  monthly: { type: 'monthly', name: 'VIP ALL ACCESS', priceCents: 1_200, currency: 'usd', interval: 'month' },
  annual: { type: 'annual', name: 'ANNUAL PREMIUM', priceCents: 8_000, currency: 'usd', interval: 'year' },
}

/**
 * How much of the price of twelve months the annual plan saves, in whole percents, rounded down
 * (docs/spec/pages.md#saving); 0 when it saves nothing.
 */
export function annualSavingPercent({ monthly, annual }: Pick<typeof plans, PlanType> = plans): number {
  const yearByMonths = 12 * monthly.priceCents
  return Math.max(0, Math.floor((100 * (yearByMonths - annual.priceCents)) / yearByMonths))
}

export function isPlanType(value: unknown): value is PlanType {
  return planTypes.some((type) => type === value)
}

/** Replaces every way to pay where payments are off. */
export const notSold = 'Memberships are not sold on this site at the moment.'
