import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type MailProvider, readMailEvents, webhookKeys } from './mail-providers.server.ts'

const emailId = '018f2f60-7d4b-7c3e-9a51-0c2f1b6d8e90'
const messageId = `<${emailId}.0123456789abcdef@library.example>`
const now = Date.parse('2026-11-29T12:00:00Z')
const bounce = { reason: 'bounce', address: 'jane@readers.example', emailId, words: 'No such mailbox.' }

interface Sent {
  provider: MailProvider
  key: string
  headers: Record<string, string>
  payload: string
}

const read = ({ provider, key, headers, payload }: Sent, at = now) =>
  readMailEvents(provider, {
    payload: Buffer.from(payload),
    header: (name) => headers[name],
    key,
    now: at,
  })

function mailgun(event: object, key = 'key-of-mailgun'): Sent {
  const [timestamp, token] = [String(now / 1_000), 'a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0']
  const signature = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex')
  const payload = JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': event })
  return { provider: 'mailgun', key: 'key-of-mailgun', headers: {}, payload }
}

const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

function sendgrid(events: object[]): Sent {
  const payload = JSON.stringify(events)
  const timestamp = String(now / 1_000)
  return {
    provider: 'sendgrid',
    key: keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    headers: {
      'x-twilio-email-event-webhook-timestamp': timestamp,
      'x-twilio-email-event-webhook-signature': sign(
        'sha256',
        Buffer.from(timestamp + payload),
        keys.privateKey,
      ).toString('base64'),
    },
    payload,
  }
}

function resend(body: object, key = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0'): Sent {
  const payload = JSON.stringify(body)
  const [id, timestamp] = ['msg_1', String(now / 1_000)]
  const secret = Buffer.from(key.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${payload}`).digest('base64')
  return {
    provider: 'resend',
    key: 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0',
    headers: { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v2,other v1,${signature}` },
    payload,
  }
}

const recipient = 'jane@readers.example'
const bounces: Sent[] = [
  mailgun({
    event: 'failed',
    severity: 'permanent',
    recipient,
    message: { headers: { 'message-id': messageId.slice(1, -1) } },
    'delivery-status': { code: 550, message: 'No such mailbox.' },
  }),
  sendgrid([
    { event: 'delivered', email: recipient },
    { event: 'bounce', type: 'bounce', email: recipient, reason: 'No such mailbox.', 'smtp-id': messageId },
  ]),
  resend({
    type: 'email.bounced',
    data: {
      to: [recipient],
      headers: [{ name: 'Message-ID', value: messageId }],
      bounce: { type: 'Permanent', message: 'No such mailbox.' },
    },
  }),
]
const ofTheEmail = { message: { headers: { 'message-id': messageId } } }
const complaints: Sent[] = [
  mailgun({ event: 'complained', recipient, ...ofTheEmail }),
  sendgrid([{ event: 'spamreport', email: recipient, 'smtp-id': messageId }]),
  resend({
    type: 'email.complained',
    data: { to: recipient, headers: [{ name: 'message-id', value: messageId }] },
  }),
]
const passing: Sent[] = [
  mailgun({ event: 'failed', severity: 'temporary', recipient, ...ofTheEmail }),
  mailgun({ event: 'delivered', recipient, ...ofTheEmail }),
  sendgrid([
    { event: 'bounce', type: 'blocked', email: recipient },
    { event: 'open', email: recipient },
  ]),
  resend({ type: 'email.bounced', data: { to: [recipient], bounce: { type: 'Transient' } } }),
  resend({ type: 'email.delivered', data: { to: [recipient] } }),
]

describe('a report of a mail provider', () => {
  test.each(bounces)('of $provider names the address and the email that came back', (sent) => {
    expect(read(sent)).toEqual([bounce])
  })

  test.each(complaints)('of $provider tells of a complaint', (sent) => {
    expect(read(sent)).toEqual([{ reason: 'complaint', address: recipient, emailId, words: undefined }])
  })

  test.each(passing)('of $provider that passes stops nothing', (sent) => {
    expect(read(sent)).toEqual([])
  })

  test.each(bounces)('of $provider is refused without its signature, changed, and with another key', (sent) => {
    const isMailgun = sent.provider === 'mailgun'
    const unsigned = isMailgun ? { ...sent, payload: '{"event-data":{}}' } : { ...sent, headers: {} }
    expect(read(unsigned)).toBeUndefined()
    // Mailgun signs a time and a token alone.
    const changed = isMailgun
      ? sent.payload.replace(String(now / 1_000), String(now / 1_000 + 1))
      : sent.payload.replaceAll('jane@', 'joe@')
    expect(read({ ...sent, payload: changed })).toBeUndefined()
    const others = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey
    const key =
      sent.provider === 'sendgrid' ? others.export({ format: 'der', type: 'spki' }).toString('base64') : 'b3RoZXI='
    expect(read({ ...sent, key })).toBeUndefined()
  })

  test.each([
    ['Mailgun', bounces[0] as Sent, 86_400_000],
    ['SendGrid', bounces[1] as Sent, 86_400_000],
    ['Resend', bounces[2] as Sent, 300_000],
  ])('of %s is refused when it is old, or more than five minutes ahead', (_, sent, withinMs) => {
    expect(read(sent, now + withinMs)).toHaveLength(1)
    expect(read(sent, now + withinMs + 1_000)).toBeUndefined()
    expect(read(sent, now - 300_000)).toHaveLength(1)
    expect(read(sent, now - 301_000)).toBeUndefined()
    const { headers } = sent
    const nonsense = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, name.endsWith('timestamp') ? 'soon' : value]),
    )
    if (sent.provider !== 'mailgun') expect(read({ ...sent, headers: nonsense })).toBeUndefined()
  })

  test('that is signed and no event is an error', () => {
    expect(() => read(mailgun({}))).toThrow()
    expect(read({ ...mailgun({}), payload: 'no JSON' })).toBeUndefined()
    expect(() => read(sendgrid({} as object[]))).toThrow()
    const long = mailgun({ event: 'complained', recipient, ...ofTheEmail, more: 'x'.repeat(65_536) })
    expect(() => read(long)).toThrow()
  })

  test('of Mailgun names an email, as its signature covers no event; the others name none where they do not know it', () => {
    expect(read(mailgun({ event: 'failed', severity: 'permanent', recipient }))).toEqual([])
    expect(read(mailgun({ event: 'complained', recipient }))).toEqual([])
    expect(read(sendgrid([{ event: 'spamreport', email: recipient }]))).toMatchObject([{ emailId: undefined }])
    expect(read(resend({ type: 'email.complained', data: { to: [recipient] } }))).toMatchObject([
      { emailId: undefined },
    ])
  })

  test('has no signs that the database does not take or that turn a line, and each event of it stands alone', () => {
    const odd = { event: 'bounce', email: 'ja\u0000ne@readers.example', reason: 'No\u0000 such\u202e mailbox.' }
    const events = [null, {}, { event: 7 }, { ...odd, 'smtp-id': messageId }, { event: 'bounce', email: 7 }]
    expect(read(sendgrid(events as object[]))).toEqual([bounce])
    const data = { to: [odd.email], bounce: { message: odd.reason } }
    expect(read(resend({ type: 'email.bounced', data }))).toEqual([{ ...bounce, emailId: undefined }])
    const status = { 'delivery-status': { message: odd.reason } }
    const failed = { event: 'failed', severity: 'permanent', recipient: odd.email }
    expect(read(mailgun({ ...failed, ...ofTheEmail, ...status }))).toEqual([bounce])
  })

  test('is taken though its time or its words cannot be read', () => {
    const returned = { event: 'bounce', email: recipient, reason: bounce.words, 'smtp-id': messageId }
    expect(read(sendgrid([{ ...returned, timestamp: 'soon' }]))).toEqual([bounce])
    const failed = { event: 'failed', severity: 'permanent', recipient, ...ofTheEmail, 'delivery-status': 'gone' }
    expect(read(mailgun(failed))).toEqual([{ ...bounce, words: undefined }])
    const data = { to: recipient, headers: 'none', bounce: 'gone' }
    expect(read(resend({ type: 'email.bounced', created_at: 'soon', data }))).toEqual([
      { ...bounce, emailId: undefined, words: undefined },
    ])
  })
})

test.each([
  [
    'mailgun',
    ['key-55c5c5c5c55f55ca5cd5f55d5c555c55', '55c5c5c5c55f55ca5cd5f55d5c555c55'],
    ['', 'a', 'a b'.repeat(20)],
  ],
  ['sendgrid', [sendgrid([]).key], ['', 'a', 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0']],
  [
    'resend',
    ['whsec_c2VjcmV0IG9mIHRoZSB0ZXN0', `whsec_${Buffer.alloc(16, 255).toString('base64')}`],
    [
      '',
      'whsec_',
      'whsec_%%%',
      'c2VjcmV0IG9mIHRoZSB0ZXN0',
      'whsec_c2VjcmV0',
      'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0%',
      `whsec_${Buffer.alloc(15).toString('base64')}`,
    ],
  ],
] as const)('a key of %s that would let others sign is none', (provider, right, wrong) => {
  expect(right.filter((key) => !webhookKeys[provider].isOne(key))).toEqual([])
  expect(wrong.filter((key) => webhookKeys[provider].isOne(key))).toEqual([])
})
