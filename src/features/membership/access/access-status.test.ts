import { describe, expect, test } from 'vitest'
import { type Grant, type Revocation, sentenceOf, accessStatusOf } from './access-status.ts'

const day = 86_400_000
const now = Date.parse('2024-03-15T12:00:00Z')
const enabled = { isDisabled: false }

function grant(overrides: Partial<Grant> = {}): Grant {
  const endsAt = overrides.endsAt ?? now + 10 * day
  return {
    basis: 'plan',
    planType: 'monthly',
    renews: true,
    startsAt: now - 20 * day,
    endsAt,
    effectiveUntil: endsAt,
    revokedAt: overrides.revokedReason == null ? null : now - day,
    revokedReason: null,
    ...overrides,
  }
}

const byHand = (overrides: Partial<Grant> = {}): Grant =>
  grant({ basis: 'manual', planType: null, renews: false, ...overrides })

describe('a member is VIP', () => {
  test('while the end of a grant lies ahead, and not a millisecond longer', () => {
    const one = [grant({ endsAt: now + 1 })]
    expect(accessStatusOf(one, enabled, now).isVip).toBe(true)
    expect(accessStatusOf(one, enabled, now + 1)).toMatchObject({ isVip: false, reason: 'ended', endsAt: now + 1 })
  })

  test('for the hours of a renewal beyond the end that the member is told', () => {
    const one = [grant({ endsAt: now - 1_000, effectiveUntil: now + 1_000 })]
    expect(accessStatusOf(one, enabled, now)).toEqual({
      isVip: true,
      reason: 'plan',
      endsAt: now - 1_000,
      planType: 'monthly',
      plan: { endsAt: now - 1_000, does: 'renew' },
    })
  })

  test('for the reason of the grant that lasts longest, until its end', () => {
    const paid = grant({ endsAt: now + 10 * day })
    const given = byHand({ endsAt: now + 30 * day })
    for (const grants of [
      [paid, given],
      [given, paid],
    ]) {
      expect(accessStatusOf(grants, enabled, now)).toEqual({
        isVip: true,
        reason: 'manual',
        endsAt: now + 30 * day,
        planType: 'monthly',
        plan: { endsAt: now + 10 * day, does: 'renew' },
      })
    }
  })

  test('until the end of what follows without a gap', () => {
    const first = byHand({ endsAt: now + day })
    const second = byHand({ startsAt: now + day, endsAt: now + 31 * day })
    const afterGap = byHand({ startsAt: now + 40 * day, endsAt: now + 70 * day })
    expect(accessStatusOf([afterGap, second, first], enabled, now).endsAt).toBe(now + 31 * day)
  })

  test.each<[Partial<Grant>, string]>([
    [{}, 'plan'],
    [{ renews: false }, 'plan_ending'],
    [{ basis: 'grace', renews: false }, 'grace'],
    [{ basis: 'manual', planType: null, renews: false }, 'manual'],
  ])('by %j, which is told as %s', (overrides, reason) => {
    expect(accessStatusOf([grant(overrides)], enabled, now)).toMatchObject({ isVip: true, reason })
  })
})

describe('a member is no VIP', () => {
  test('who never had anything', () => {
    expect(accessStatusOf([], enabled, now)).toEqual({ isVip: false, reason: 'never', endsAt: null, planType: null })
  })

  test('before the grant begins', () => {
    expect(accessStatusOf([byHand({ startsAt: now + 1 })], enabled, now)).toMatchObject({
      isVip: false,
      reason: 'never',
    })
  })

  test('whom an administrator has disabled, whatever was paid', () => {
    expect(accessStatusOf([grant()], { isDisabled: true }, now)).toMatchObject({ isVip: false, reason: 'disabled' })
  })

  test.each<Revocation>(['refund', 'dispute', 'dispute_lost', 'unpaid', 'paused'])('after %s', (revokedReason) => {
    expect(accessStatusOf([grant({ revokedReason })], enabled, now)).toMatchObject({
      isVip: false,
      reason: revokedReason,
    })
  })

  test('and tells what the plan does at its own end, which access by hand does not move', () => {
    const plan = grant({ endsAt: now + 10 * day })
    const after = byHand({ startsAt: now + 10 * day, endsAt: now + 40 * day })
    const both = accessStatusOf([plan, after], enabled, now)
    expect(both).toMatchObject({
      reason: 'plan',
      endsAt: now + 40 * day,
      plan: { endsAt: now + 10 * day, does: 'renew' },
    })
    const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)
    expect(sentenceOf(both, dayOf)).toBe(
      `VIP through a paid plan that renews on ${dayOf(now + 10 * day)}. Access given by an administrator goes on until ${dayOf(now + 40 * day)}.`,
    )
    const grace = accessStatusOf(
      [grant({ basis: 'grace', renews: false, endsAt: now + 2 * day }), byHand()],
      enabled,
      now,
    )
    expect(grace.plan).toEqual({ endsAt: now + 2 * day, does: 'wait_for_card' })
    expect(accessStatusOf([byHand()], enabled, now).plan).toBeUndefined()
  })

  test('but a dispute takes nothing of what was given by hand', () => {
    const grants = [grant({ revokedReason: 'dispute', endsAt: now + 90 * day }), byHand({ endsAt: now + day })]
    expect(accessStatusOf(grants, enabled, now)).toMatchObject({ isVip: true, reason: 'manual', endsAt: now + day })
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
