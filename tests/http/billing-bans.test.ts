import { createHash } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeAdministrator } from '../../src/features/accounts/administrators/make-administrator.server.ts'
import type { MemberBilling } from '../../src/features/membership/admin/billing-schema.ts'
import type { TestResponse } from '../harness/request.ts'
import { waitForEmail } from '../harness/emails.ts'
import { post } from '../harness/members.ts'
import {
  aBuyer,
  anAddress,
  aSubscriber,
  behindProxy,
  type Buyer,
  checkOut,
  customersOf,
  onAnotherDevice,
  sessionIn,
} from '../harness/purchases.ts'
import { drainWebhooks, sandboxServerOfFile } from '../harness/sandbox.ts'

let admin: Buyer
const server = sandboxServerOfFile({ jobs: false, env: { ...behindProxy, LOG_LEVEL: 'fatal' } })

beforeAll(async () => {
  admin = await aBuyer(server, { isAdmin: true })
})
afterEach(async () => {
  await server.app.db.deleteFrom('kept_bans').execute()
})

const said = (answer: TestResponse) => answer.json() as Record<string, unknown>

function expectFailure(answer: TestResponse, status: number, code: string): void {
  expect(answer.status, answer.text).toBe(status)
  expect(said(answer)['code']).toBe(code)
}

async function remove({ email, headers }: Buyer): Promise<void> {
  const path = `/auth/delete-account/${encodeURIComponent(email)}`
  const answer = await server.call(path, { method: 'DELETE', headers })
  expect(answer.status, answer.text).toBe(200)
}

/** Registers as a browser does, with the address as it is written here. */
async function register(email: string): Promise<Buyer> {
  const made = { name: 'Jane Again', email, password: 'a quiet reading room' }
  const answer = await post(server, '/auth/register', made, { 'x-forwarded-for': anAddress() })
  expect(answer.status, answer.text).toBe(201)
  const device = await onAnotherDevice(server, { id: '', ...made })
  const { id } = await server.app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return { id, ...made, ...device }
}

const kept = () => server.app.db.selectFrom('kept_bans').selectAll().execute()
const membershipOf = async ({ headers }: Buyer) => said(await server.request('/pay/membership', { headers }))
const billingOf = async ({ id }: Buyer) =>
  (await server.request(`/api/billing/members/${id}`, { headers: admin.headers })).json() as MemberBilling
const review = ({ id }: Buyer) =>
  server.request(`/api/billing/members/${id}/review`, { method: 'POST', headers: admin.headers })

/** Somebody whose bank was asked to take a payment back. */
async function aDisputer(outcome: 'open' | 'won' | 'lost'): Promise<Buyer> {
  const { control } = server.sandbox
  const member = await aSubscriber(server)
  const [invoice] = control.invoicesOf(member.customer)
  const dispute = await control.openDispute(invoice?.id ?? '')
  if (outcome !== 'open') await control.closeDispute(dispute, outcome)
  await drainWebhooks(server)
  return member
}

/** Other ways to write the same address. */
const spellings: [string, (email: string) => string][] = [
  ['as it was', (email) => email],
  ['in capitals', (email) => email.toUpperCase()],
  ['with capitals', (email) => email.replace('reader', 'ReAdEr')],
]

describe('a membership that is disabled stays so for who registers again', () => {
  test.each(spellings)('%s', async (_how, spell) => {
    const member = await aBuyer(server, { isVip: true, vipDisabled: true })
    await remove(member)
    expect(await kept()).toMatchObject([{ vip_disabled: true, purchases_blocked: false }])
    const again = await register(spell(member.email))
    expect(await kept()).toEqual([])
    expect(await membershipOf(again)).toMatchObject({
      isVip: false,
      reason: 'disabled',
      bans: { vipDisabled: true, purchasesBlocked: false },
    })
    expectFailure(await checkOut(server, again), 403, 'checkout.disabled')
    expect(customersOf(server, again)).toEqual([])

    // However often, and until somebody lifts it.
    await remove(again)
    const third = await register(member.email)
    expectFailure(await checkOut(server, third), 403, 'checkout.disabled')
    await server.app.db.updateTable('users').set({ vip_disabled: false }).where('id', '=', third.id).execute()
    await remove(third)
    expect(await kept()).toEqual([])
    sessionIn(await checkOut(server, await register(member.email)))
  })
})

describe('purchases stay blocked for who registers again', () => {
  test.each(['lost', 'open'] as const)('after a dispute that was %s, until it is reviewed', async (outcome) => {
    const member = await aDisputer(outcome)
    await remove(member)
    expect(await kept()).toMatchObject([{ vip_disabled: false, purchases_blocked: true }])
    const again = await register(member.email.toUpperCase())
    const refused = await checkOut(server, again)
    expectFailure(refused, 403, 'checkout.blocked')
    expect(said(refused)['message']).toContain(server.app.texts.inForce.contactEmail)
    expect(customersOf(server, again)).toEqual([])
    expect(await membershipOf(again)).toMatchObject({ bans: { vipDisabled: false, purchasesBlocked: true } })
    // A new account with the former account's address does not see its payments.
    expect(await billingOf(again)).toMatchObject({ isBlocked: true, local: { payments: [] } })

    await remove(again)
    const third = await register(member.email)
    expect((await review(third)).status).toBe(200)
    expectFailure(await review(third), 409, 'dispute.none')
    expect(await billingOf(third)).toMatchObject({ isBlocked: false })
    sessionIn(await checkOut(server, third))
    await remove(third)
    expect(await kept()).toEqual([])
  })

  test.each(['won', 'reviewed'] as const)('but not after one that was %s', async (what) => {
    const member = await aDisputer(what === 'won' ? 'won' : 'lost')
    if (what === 'reviewed') expect((await review(member)).status).toBe(200)
    await remove(member)
    expect(await kept()).toEqual([])
    sessionIn(await checkOut(server, await register(member.email)))
  })
})

describe('a change of the address', () => {
  /** Gives the account another address, by its link. */
  async function move(member: Buyer, email: string): Promise<Buyer> {
    const asked = await post(server, '/auth/address', { email }, member.headers)
    expect(asked.status, asked.text).toBe(202)
    const { links } = await waitForEmail(server.app, { to: email, subject: /^Confirm your new address/ })
    const token = new URL(links.find((one) => one.includes('token=')) ?? '').searchParams.get('token')
    const answer = await post(server, '/confirm-address', { token }, { 'x-forwarded-for': anAddress() })
    expect(answer.status, answer.text).toBe(200)
    return { ...member, email }
  }
  let moved = 0
  const another = () => `moved-${(moved += 1)}@readers.example`

  test('sheds no ban: it goes with the account, and is kept of the former address as well', async () => {
    const member = await aBuyer(server, { isVip: true, vipDisabled: true })
    const elsewhere = await move(member, another())
    expect(await membershipOf(elsewhere)).toMatchObject({ reason: 'disabled' })
    // The former address is free, but not of the ban.
    const again = await register(member.email)
    expectFailure(await checkOut(server, again), 403, 'checkout.disabled')
    await remove(again)
    await remove(elsewhere)
    for (const email of [member.email, elsewhere.email]) {
      const next = await register(email)
      expectFailure(await checkOut(server, next), 403, 'checkout.disabled')
    }
  })

  test('sheds no lost dispute', async () => {
    const member = await aDisputer('lost')
    const elsewhere = await move(member, another())
    expectFailure(await checkOut(server, elsewhere), 403, 'checkout.blocked')
    expectFailure(await checkOut(server, await register(member.email)), 403, 'checkout.blocked')
    await remove(elsewhere)
    expectFailure(await checkOut(server, await register(elsewhere.email)), 403, 'checkout.blocked')
  })

  test('takes over what is kept of the new address', async () => {
    const banned = await aBuyer(server, { vipDisabled: true })
    await remove(banned)
    const member = await move(await aBuyer(server), banned.email)
    expect(await kept()).toEqual([])
    expectFailure(await checkOut(server, member), 403, 'checkout.disabled')
  })

  test('is told to Stripe', async () => {
    const subscriber = await aSubscriber(server)
    const { email } = await move(subscriber, another())
    await server.app.jobs.drain()
    const stripe = await server.app.payments.stripe()
    expect(await stripe.customers.retrieve(subscriber.customer)).toMatchObject({ email })
  })
})

describe('what is kept', () => {
  test('is nothing of who may do everything', async () => {
    const member = await aSubscriber(server)
    await remove(member)
    expect(await kept()).toEqual([])
    const email = await waitForEmail(server.app, { to: member.email, subject: /deleted/ })
    expect(email.text).not.toMatch(/code of your address/)
  })

  test('is no address, nor anything that a list of addresses could be tried on', async () => {
    const member = await aBuyer(server, { vipDisabled: true })
    await remove(member)
    const [row] = await kept()
    expect(Object.keys(row ?? {}).toSorted()).toEqual(['email_hash', 'purchases_blocked', 'vip_disabled'])
    const hash = Buffer.from(row?.email_hash ?? []).toString('hex')
    expect(hash).toHaveLength(64)
    for (const text of [member.email, member.email.toUpperCase(), `${member.email}\n`]) {
      expect(hash).not.toBe(createHash('sha256').update(text).digest('hex'))
    }
    const email = await waitForEmail(server.app, { to: member.email, subject: /deleted/ })
    expect(email.text.replaceAll(/\s+/g, ' ')).toMatch(/we keep a keyed code of your address/)
  })

  test('stays out of what a member takes along, but for what they may not do', async () => {
    await remove(await aBuyer(server, { vipDisabled: true }))
    const { secret } = await server.app.db.selectFrom('installation_secrets').selectAll().executeTakeFirstOrThrow()
    const member = await aBuyer(server, { vipDisabled: true })
    const answer = await server.request('/auth/export', { headers: member.headers })
    expect(said(answer)['membership']).toMatchObject({ bans: { vipDisabled: true, purchasesBlocked: false } })
    const bytes = Buffer.from(secret)
    for (const spelt of [bytes.toString('hex'), bytes.toString('base64')]) expect(answer.text).not.toContain(spelt)
  })

  test('is laid on an account that the operator makes, too', async () => {
    const member = await aBuyer(server, { vipDisabled: true })
    await remove(member)
    const { email } = member
    await makeAdministrator(server.app, { email, name: 'Ada Admin', password: 'a quiet reading room' })
    const user = await server.app.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
    expect(user).toMatchObject({ is_admin: true, vip_disabled: true })
    expect(await kept()).toEqual([])
  })

  test('holds for whichever of several is first with that address', async () => {
    const member = await aBuyer(server, { vipDisabled: true })
    await remove(member)
    const made = { name: 'Jane Again', password: 'a quiet reading room' }
    const answers = await Promise.all(
      spellings.map(([, spell]) =>
        post(server, '/auth/register', { ...made, email: spell(member.email) }, { 'x-forwarded-for': anAddress() }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    const users = await server.app.db
      .selectFrom('users')
      .select('vip_disabled')
      .where('email_folded', '=', member.email)
      .execute()
    expect(users).toEqual([{ vip_disabled: true }])
  })
})
