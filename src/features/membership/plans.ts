/** What can be bought (BILLING.md, "Objects"; PRODUCT.md, section 9). */
export const planTypes = ['monthly', 'annual'] as const
export type PlanType = (typeof planTypes)[number]

export interface Plan {
  type: PlanType
  name: string
  /** What is charged each time. */
  priceCents: number
  currency: 'usd'
  interval: 'month' | 'year'
}

export const plans: Record<PlanType, Plan> = {
  monthly: { type: 'monthly', name: 'VIP ALL ACCESS', priceCents: 1_200, currency: 'usd', interval: 'month' },
  annual: { type: 'annual', name: 'ANNUAL PREMIUM', priceCents: 8_000, currency: 'usd', interval: 'year' },
}

export function isPlanType(value: unknown): value is PlanType {
  return planTypes.some((type) => type === value)
}
