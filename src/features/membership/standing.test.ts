import { describe, expect, test } from 'vitest'
import { type Grant, type Revocation, sentenceOf, standingOf } from './standing.ts'

const day = 86_400_000
const now = Date.parse('2024-03-15T12:00:00Z')
const enabled = { isDisabled: false }

function grant(wish: Partial<Grant> = {}): Grant {
  const endsAt = wish.endsAt ?? now + 10 * day
  return {
    basis: 'plan',
    planType: 'monthly',
    renews: true,
    startsAt: now - 20 * day,
    endsAt,
    heldUntil: endsAt,
    revokedReason: null,
    ...wish,
  }
}

const byHand = (wish: Partial<Grant> = {}): Grant => grant({ basis: 'manual', planType: null, renews: false, ...wish })

describe('a member is VIP', () => {
  test('while the end of a grant lies ahead, and not a millisecond longer', () => {
    const one = [grant({ endsAt: now + 1 })]
    expect(standingOf(one, enabled, now).isVip).toBe(true)
    expect(standingOf(one, enabled, now + 1)).toMatchObject({ isVip: false, reason: 'ended', endsAt: now + 1 })
  })

  test('for the hours of a renewal beyond the end that he is told', () => {
    const one = [grant({ endsAt: now - 1_000, heldUntil: now + 1_000 })]
    expect(standingOf(one, enabled, now)).toEqual({
      isVip: true,
      reason: 'plan',
      endsAt: now - 1_000,
      planType: 'monthly',
    })
  })

  test('for the reason of the grant that lasts longest, until its end', () => {
    const paid = grant({ endsAt: now + 10 * day })
    const given = byHand({ endsAt: now + 30 * day })
    for (const grants of [
      [paid, given],
      [given, paid],
    ]) {
      expect(standingOf(grants, enabled, now)).toEqual({
        isVip: true,
        reason: 'manual',
        endsAt: now + 30 * day,
        planType: 'monthly',
      })
    }
  })

  test('until the end of what follows without a gap', () => {
    const first = byHand({ endsAt: now + day })
    const second = byHand({ startsAt: now + day, endsAt: now + 31 * day })
    const afterGap = byHand({ startsAt: now + 40 * day, endsAt: now + 70 * day })
    expect(standingOf([afterGap, second, first], enabled, now).endsAt).toBe(now + 31 * day)
  })

  test.each<[Partial<Grant>, string]>([
    [{}, 'plan'],
    [{ renews: false }, 'plan_ending'],
    [{ basis: 'grace', renews: false }, 'grace'],
    [{ basis: 'manual', planType: null, renews: false }, 'manual'],
  ])('by %j, which is told as %s', (wish, reason) => {
    expect(standingOf([grant(wish)], enabled, now)).toMatchObject({ isVip: true, reason })
  })
})

describe('a member is no VIP', () => {
  test('who never had anything', () => {
    expect(standingOf([], enabled, now)).toEqual({ isVip: false, reason: 'never', endsAt: null, planType: null })
  })

  test('before what he was given begins', () => {
    expect(standingOf([byHand({ startsAt: now + 1 })], enabled, now)).toMatchObject({ isVip: false, reason: 'never' })
  })

  test('whom an administrator has disabled, whatever was paid', () => {
    expect(standingOf([grant()], { isDisabled: true }, now)).toMatchObject({ isVip: false, reason: 'disabled' })
  })

  test.each<Revocation>(['refund', 'dispute', 'dispute_lost', 'unpaid', 'paused'])('after %s', (revokedReason) => {
    expect(standingOf([grant({ revokedReason })], enabled, now)).toMatchObject({ isVip: false, reason: revokedReason })
  })

  test('but a dispute takes nothing of what was given by hand', () => {
    const grants = [grant({ revokedReason: 'dispute', endsAt: now + 90 * day }), byHand({ endsAt: now + day })]
    expect(standingOf(grants, enabled, now)).toMatchObject({ isVip: true, reason: 'manual', endsAt: now + day })
  })
})

test('every reason has a sentence that says whether access is given', () => {
  const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)
  for (const reason of ['plan', 'plan_ending', 'grace', 'manual'] as const) {
    const sentence = sentenceOf({ isVip: true, reason, endsAt: now, planType: null }, dayOf)
    expect(sentence).toMatch(/^VIP /)
    expect(sentence).toContain('2024-03-15')
  }
  for (const reason of [
    'disabled',
    'refund',
    'dispute',
    'dispute_lost',
    'unpaid',
    'paused',
    'ended',
    'never',
  ] as const) {
    expect(sentenceOf({ isVip: false, reason, endsAt: now, planType: null }, dayOf)).toMatch(/^Not VIP: /)
  }
})
