import { expect, it } from 'vitest'
import { annualSavingPercent, plans } from './plans.ts'

it('The saving of the annual plan is computed from the two prices, and never rounded up', () => {
  const at = (monthlyCents: number, annualCents: number) =>
    annualSavingPercent({
      monthly: { ...plans.monthly, priceCents: monthlyCents },
      annual: { ...plans.annual, priceCents: annualCents },
    })
  expect(annualSavingPercent()).toBe(44)
  expect(at(1_200, 7_200)).toBe(50)
  expect(at(1_200, 7_201)).toBe(49)
  expect(at(1_200, 14_400)).toBe(0)
  expect(at(1_000, 13_000)).toBe(0)
})
