import { expect, test } from 'vitest'
import { deletionEffects, disablingEffects } from './vip-effects.ts'

const nothing = { isVip: false, hasSubscription: false, hasPayments: false, hasPaid: false }

test('who never was VIP loses nothing, and nothing is said of a subscription or of money', () => {
  expect(disablingEffects(nothing)).toEqual(['is not VIP now. They cannot buy VIP access until it is renewed here.'])
  expect(deletionEffects(nothing)).toEqual([])
})

test('a subscription, access and money are told to whom they belong', () => {
  const byHand = disablingEffects({ ...nothing, isVip: true }).join(' ')
  expect(byHand).toContain('loses VIP access at once')
  expect(byHand).not.toMatch(/subscription|refund/)
  const subscriber = { isVip: true, hasSubscription: true, hasPayments: true, hasPaid: true }
  expect(disablingEffects(subscriber).join(' ')).toMatch(/cancelled at Stripe first.*a payment of the last minute/)
  expect(disablingEffects({ ...subscriber, hasPaid: false }).join(' ')).not.toContain('refunded')
  expect(deletionEffects(subscriber).join(' ')).toMatch(/cancelled at Stripe first.*stay in the books/)
})

test('of who is not known yet, nothing is claimed', () => {
  expect(disablingEffects(undefined).join(' ')).not.toMatch(/loses|subscription|refund/)
  expect(deletionEffects(undefined).join(' ')).toMatch(/^If they have a subscription/)
})
