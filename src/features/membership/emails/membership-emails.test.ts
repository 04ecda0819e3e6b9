import { type Insertable, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { uuidv7 } from 'uuidv7'
import { readEmails, waitForEmail } from '../../../../tests/harness/emails.ts'
import { aGrant, aMember, type MadeMember, type MemberOverrides } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import type { Database } from '../../../db/database.ts'
import { membershipMails } from '../membership-mails.ts'
import type { EmailKind } from '../../../platform/email/email-kind.ts'

const site = 'https://library.example'

const testApp = appOfFile({
  // In New York it is the evening of the 14th.
  now: '2024-03-15T02:00:00Z',
  env: {
    PUBLIC_URL: site,
    PAYMENTS: 'sandbox',
    CONTACT_EMAIL: 'desk@library.example',
    SITE_TIME_ZONE: 'America/New_York',
  },
})

/** A member with a subscription of which nothing has been paid yet. */
async function aSubscriber(
  overrides: MemberOverrides = {},
): Promise<MadeMember & { subscriptionId: string; invoiceId: string }> {
  const member = await aMember(testApp.app, overrides)
  return { ...member, subscriptionId: `sub_${member.id}`, invoiceId: `in_${member.id}` }
}

type Subscriber = Awaited<ReturnType<typeof aSubscriber>>

async function pay(member: Subscriber, fields: Partial<Insertable<Database['payments']>> = {}): Promise<void> {
  await testApp.app.db
    .insertInto('payments')
    .values({
      id: uuidv7(),
      invoice_id: member.invoiceId,
      user_id: member.id,
      subscription_id: member.subscriptionId,
      plan_type: 'monthly',
      number: 'F2A9-0001',
      status: 'paid',
      amount_cents: 1_200,
      currency: 'usd',
      period_starts_at: '2024-03-15T01:00:00Z',
      period_ends_at: '2024-04-15T01:00:00Z',
      invoiced_at: '2024-03-15T01:00:00Z',
      paid_at: fields.status === 'open' ? null : '2024-03-15T01:00:00Z',
      ...fields,
    })
    .execute()
}

/** Access by the subscription; by default it renews in a month. */
async function give(member: Subscriber, fields: Partial<Insertable<Database['access_grants']>> = {}): Promise<void> {
  const endsAt = fields.ends_at ?? '2024-04-15T01:00:00Z'
  await testApp.app.db
    .insertInto('access_grants')
    .values({
      id: uuidv7(),
      user_id: member.id,
      source: 'stripe',
      subscription_id: member.subscriptionId,
      plan_type: 'monthly',
      basis: 'plan',
      renews: true,
      starts_at: '2024-02-15T01:00:00Z',
      ends_at: endsAt,
      effective_until: endsAt,
      created_at: '2024-02-15T01:00:00Z',
      ...fields,
    })
    .execute()
}

async function queue(kind: EmailKind, data: Record<string, unknown>): Promise<void> {
  await testApp.app.mail.queue(testApp.app.db, kind, data)
}

/** Puts the email in line and has its job done. */
async function expectNone(kind: EmailKind, data: Record<string, unknown>, { email }: { email: string }): Promise<void> {
  await queue(kind, data)
  await testApp.app.jobs.drain()
  const { rows } = await sql<{ state: string }>`
    select state from pgboss.job where name = 'mail' and data @> ${JSON.stringify({ kind: kind.name, data })}::jsonb
    `.execute(testApp.app.db)
  expect(rows.map(({ state }) => state)).toEqual(['completed'])
  expect((await readEmails(testApp.app)).filter(({ to }) => to === email)).toEqual([])
}

async function remove({ id }: MadeMember): Promise<void> {
  await testApp.app.db.deleteFrom('users').where('id', '=', id).execute()
}

describe('the receipt', () => {
  test('says what was paid, for what, when, and when the next charge is, in the time of the site', async () => {
    const member = await aSubscriber({ name: 'Jane <b>Reader' })
    await pay(member)
    await give(member)
    await queue(membershipMails.receipt, { invoiceId: member.invoiceId })
    const email = await waitForEmail(testApp.app, { to: member.email })
    expect(email.subject).toBe('Your receipt from Daybook')
    expect(email.links).toEqual([`${site}/account#billing`, site])
    for (const body of [email.text, email.html]) {
      expect(body).toContain('On March 14, 2024 you paid $12.00 for VIP ALL ACCESS.')
      expect(body).toContain('It covers March 14, 2024 to April 14, 2024.')
      expect(body).toContain('Invoice number: F2A9-0001.')
      expect(body).toContain('The next charge is on April 14, 2024, unless you cancel before then.')
      expect(body).toContain('TEST MODE: no card was charged.')
      expect(body).toContain('desk@library.example')
      expect(body).not.toContain('refunded')
    }
    expect(email.text).toContain('Hello Jane <b>Reader,')
    expect(email.html).toContain('Hello Jane &lt;b&gt;Reader,')
  })

  test('announces no charge of a plan that was cancelled, and tells what was given back', async () => {
    const member = await aSubscriber()
    await pay(member, {
      plan_type: 'annual',
      amount_cents: 800_050,
      refunded_cents: 1_050,
      currency: 'eur',
      number: null,
    })
    await give(member, { plan_type: 'annual', renews: false })
    await queue(membershipMails.receipt, { invoiceId: member.invoiceId })
    const { text } = await waitForEmail(testApp.app, { to: member.email })
    expect(text).toContain('you paid €8,000.50 for ANNUAL PREMIUM.')
    expect(text).toContain('Of this, €10.50 was refunded.')
    expect(text).not.toMatch(/next charge|Invoice number/)
  })

  test.each([
    ['was taken back', { revoked_at: '2024-03-15T01:30:00Z', revoked_reason: 'dispute' }],
    ['is over', { ends_at: '2024-03-15T01:30:00Z', effective_until: '2024-03-15T07:30:00Z' }],
  ] as const)('announces no charge of access that %s', async (_, grant) => {
    const member = await aSubscriber()
    await pay(member)
    await give(member, grant)
    await queue(membershipMails.receipt, { invoiceId: member.invoiceId })
    expect((await waitForEmail(testApp.app, { to: member.email })).text).not.toContain('next charge')
  })

  test('goes to nobody when the account is deleted, or nothing was paid', async () => {
    const gone = await aSubscriber()
    await pay(gone)
    await remove(gone)
    await expectNone(membershipMails.receipt, { invoiceId: gone.invoiceId }, gone)
    const owing = await aSubscriber()
    await pay(owing, { status: 'open' })
    await expectNone(membershipMails.receipt, { invoiceId: owing.invoiceId }, owing)
    await expectNone(membershipMails.receipt, { invoiceId: 'in_unheard_of' }, owing)
  })
})

describe('the email about a payment that failed', () => {
  test('says what was not paid, until when access stays, and where the card is updated', async () => {
    const member = await aSubscriber()
    await pay(member, { status: 'open' })
    await give(member, { basis: 'grace', renews: false, ends_at: '2024-03-22T01:00:00Z' })
    await queue(membershipMails.paymentFailed, { invoiceId: member.invoiceId })
    const email = await waitForEmail(testApp.app, { to: member.email })
    expect(email.subject).toBe('Your payment to Daybook failed')
    expect(email.links).toEqual([`${site}/account#billing`, site])
    expect(email.text).toContain(`Update your card:\n${site}/account#billing`)
    for (const body of [email.text, email.html]) {
      expect(body).toContain('We could not charge $12.00 for VIP ALL ACCESS')
      expect(body).toContain('You stay VIP until March 21, 2024.')
    }
  })

  test('takes into account what was given by hand', async () => {
    const member = await aSubscriber({ vipExpiresAt: '2024-05-01T12:00:00Z' })
    await pay(member, { status: 'open' })
    await give(member, { basis: 'grace', renews: false, ends_at: '2024-03-22T01:00:00Z' })
    await queue(membershipMails.paymentFailed, { invoiceId: member.invoiceId })
    const { text } = await waitForEmail(testApp.app, { to: member.email })
    expect(text).toContain('You stay VIP until May 1, 2024.')
  })

  test.each([
    [false, true],
    [true, false],
  ])('promises no access when the days of grace are over (disabled: %s)', async (vipDisabled, isSaid) => {
    const member = await aSubscriber({ vipDisabled })
    await pay(member, { status: 'open' })
    await give(member, { basis: 'grace', renews: false, ends_at: '2024-03-15T01:00:00Z' })
    await queue(membershipMails.paymentFailed, { invoiceId: member.invoiceId })
    const { text } = await waitForEmail(testApp.app, { to: member.email })
    expect(text).not.toContain('You stay VIP')
    expect(text.includes('Your VIP access is paused until the payment succeeds.')).toBe(isSaid)
  })

  test('goes to nobody when it was paid meanwhile, the plan is cancelled, or the account deleted', async () => {
    const grace = { basis: 'grace', renews: false, ends_at: '2024-03-22T01:00:00Z' } as const
    const paid = await aSubscriber()
    await pay(paid)
    await give(paid, grace)
    await expectNone(membershipMails.paymentFailed, { invoiceId: paid.invoiceId }, paid)
    const cancelled = await aSubscriber()
    await pay(cancelled, { status: 'open' })
    await give(cancelled, { renews: false, ends_at: '2024-03-15T01:00:00Z' })
    await expectNone(membershipMails.paymentFailed, { invoiceId: cancelled.invoiceId }, cancelled)
    const gone = await aSubscriber()
    await pay(gone, { status: 'open' })
    await give(gone, grace)
    await remove(gone)
    await expectNone(membershipMails.paymentFailed, { invoiceId: gone.invoiceId }, gone)
  })
})

describe('the email that a membership ends soon', () => {
  const endsAt = '2024-03-20T03:00:00.000Z'

  test('leads a member who has cancelled to their account', async () => {
    const member = await aSubscriber()
    await give(member, { renews: false, ends_at: endsAt })
    await queue(membershipMails.endsSoon, { userId: member.id, endsAt })
    const email = await waitForEmail(testApp.app, { to: member.email })
    expect(email.subject).toBe('Your Daybook VIP membership ends on March 19, 2024')
    expect(email.text).toContain('was cancelled and ends on March 19, 2024.')
    expect(email.text).toContain(`Keep your membership:\n${site}/account#billing`)
  })

  test('to whom it was given leads to the plans', async () => {
    const member = await aMember(testApp.app, { vipExpiresAt: endsAt })
    await queue(membershipMails.endsSoon, { userId: member.id, endsAt })
    const email = await waitForEmail(testApp.app, { to: member.email })
    expect(email.text).toContain('lasts until March 19, 2024.')
    expect(email.text).toContain(`Keep your membership:\n${site}/plans`)
  })

  test('goes to nobody whose membership goes on meanwhile', async () => {
    const renewing = await aSubscriber()
    await give(renewing, { ends_at: endsAt })
    await expectNone(membershipMails.endsSoon, { userId: renewing.id, endsAt }, renewing)
    const renewingBefore = await aSubscriber({ vipExpiresAt: endsAt })
    await give(renewingBefore, { ends_at: '2024-03-18T03:00:00Z' })
    await expectNone(membershipMails.endsSoon, { userId: renewingBefore.id, endsAt }, renewingBefore)
    const longer = await aMember(testApp.app, { vipExpiresAt: endsAt })
    await aGrant(testApp.app, longer.id, '2024-03-21T03:00:00Z')
    await expectNone(membershipMails.endsSoon, { userId: longer.id, endsAt }, longer)
  })

  test('goes to nobody who is not VIP any more, and to no deleted account', async () => {
    const over = await aMember(testApp.app, { vipExpiresAt: '2024-03-15T01:00:00.000Z' })
    await expectNone(membershipMails.endsSoon, { userId: over.id, endsAt: '2024-03-15T01:00:00.000Z' }, over)
    const disabled = await aMember(testApp.app, { vipExpiresAt: endsAt, vipDisabled: true })
    await expectNone(membershipMails.endsSoon, { userId: disabled.id, endsAt }, disabled)
    const gone = await aMember(testApp.app, { vipExpiresAt: endsAt })
    await remove(gone)
    await expectNone(membershipMails.endsSoon, { userId: gone.id, endsAt }, gone)
  })
})

describe('the email that a membership has ended', () => {
  const past = '2024-03-15T01:00:00Z'
  const revokedAt = { renews: false, revoked_at: past }
  test.each([
    ['ended', { ends_at: past }, 'Your VIP membership at Daybook ended on March 14, 2024.'],
    ['ended after the grace', { basis: 'grace', renews: false, ends_at: past }, 'The last payment failed and was not'],
    ['refund', { ...revokedAt, revoked_reason: 'refund' }, 'Your last payment was refunded in full.'],
    ['unpaid', { ...revokedAt, revoked_reason: 'unpaid' }, 'The renewal was never paid'],
    ['paused', { ...revokedAt, revoked_reason: 'paused' }, 'Your subscription is paused'],
  ] as const)('says why and leads to the plans: %s', async (_, grant, sentence) => {
    const member = await aSubscriber()
    await give(member, grant)
    await queue(membershipMails.ended, { userId: member.id })
    const email = await waitForEmail(testApp.app, { to: member.email })
    expect(email.subject).toBe('Your Daybook VIP membership has ended')
    expect(email.text).toContain(sentence)
    expect(email.text).toContain(`Become VIP again:\n${site}/plans`)
    expect(email.links).toEqual([`${site}/plans`, site])
  })

  test('invites nobody to buy who may not buy, after a lost dispute', async () => {
    const member = await aSubscriber()
    await give(member, { ...revokedAt, revoked_reason: 'dispute_lost' })
    await queue(membershipMails.ended, { userId: member.id })
    const email = await waitForEmail(testApp.app, { to: member.email })
    expect(email.text).toContain('One of your payments was disputed')
    expect(email.text).toContain('write to desk@library.example')
    expect(email.links).toEqual([site])
  })

  test('goes to nobody who is VIP again, disabled, in a dispute, never was VIP, or is gone', async () => {
    const again = await aSubscriber({ isVip: true })
    await give(again, { ...revokedAt, revoked_reason: 'refund' })
    await expectNone(membershipMails.ended, { userId: again.id }, again)
    const disabled = await aMember(testApp.app, { vipExpiresAt: past, vipDisabled: true })
    await expectNone(membershipMails.ended, { userId: disabled.id }, disabled)
    const disputed = await aSubscriber()
    await give(disputed, { ...revokedAt, revoked_reason: 'dispute' })
    await expectNone(membershipMails.ended, { userId: disputed.id }, disputed)
    const never = await aMember(testApp.app)
    await expectNone(membershipMails.ended, { userId: never.id }, never)
    const gone = await aMember(testApp.app, { vipExpiresAt: past })
    await remove(gone)
    await expectNone(membershipMails.ended, { userId: gone.id }, gone)
  })
})

test('a receipt for real money does not speak of a test', async () => {
  const { app } = testApp
  const { config } = app
  app.config = { ...config, payments: { ...config.payments, isSandbox: false } }
  try {
    const member = await aSubscriber()
    await pay(member)
    await queue(membershipMails.receipt, { invoiceId: member.invoiceId })
    const { text } = await waitForEmail(app, { to: member.email })
    expect(text).toContain('you paid $12.00')
    expect(text).not.toContain('TEST MODE')
  } finally {
    app.config = config
  }
})
