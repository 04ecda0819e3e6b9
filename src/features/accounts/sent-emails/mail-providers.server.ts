import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { z } from 'zod'
import { isUuid } from '../../../platform/uuid.ts'

export const mailProviders = ['mailgun', 'sendgrid', 'resend'] as const
export type MailProvider = (typeof mailProviders)[number]

/** An address for which a provider reports that it takes no emails, or that its owner calls one spam. */
export interface MailEvent {
  reason: 'bounce' | 'complaint'
  address: string
  /** The email of the log, where the provider names its Message-ID. */
  emailId: string | undefined
  words: string | undefined
  /** When it happened, as the provider says, in milliseconds since 1970. */
  at?: number | undefined
}

interface Delivery {
  payload: Buffer
  header: (name: string) => string | undefined
  key: string
  /** Milliseconds since the epoch. */
  now: number
}

/**
 * The bounces and complaints in what a provider has sent; other events are left out, and so are refusals that pass.
 * @returns undefined where the signature is not the provider's
 * @throws {SyntaxError | z.ZodError} where it is signed and unreadable
 */
export function readMailEvents(provider: MailProvider, delivery: Delivery): MailEvent[] | undefined {
  return readers[provider](delivery)
}

const readers: Record<MailProvider, (delivery: Delivery) => MailEvent[] | undefined> = {
  mailgun: readMailgun,
  sendgrid: readSendGrid,
  resend: readResend,
}

/** Without what no address and no words of a server need, and the database would not take. */
const text = z
  .string()
  .transform((given) => given.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ''))
  .optional()
  .catch(undefined)

const MailgunSignature = z.object({
  timestamp: z.coerce.string().regex(/^\d{10}$/),
  token: z.string(),
  signature: z.string(),
})
const MailgunEvent = z.object({
  event: z.string(),
  severity: text,
  recipient: text,
  message: z.object({ headers: z.object({ 'message-id': text }).optional() }).optional(),
  'delivery-status': z.object({ message: text, description: text }).optional().catch(undefined),
})

/** It sends one event at a time, which has to be parsed before the signature in it can be checked. */
const mostBytesOfMailgun = 65_536

/**
 * Its signature covers a time and a token in the body, not the rest of it: whoever has one may write any event with it. Only
 * the random id of an email that went to the address shows that the event is true.
 */
function readMailgun({ payload, key, now }: Delivery): MailEvent[] | undefined {
  if (payload.length > mostBytesOfMailgun) throw new SyntaxError('Mailgun sends no report of this length.')
  const body = parsed(payload) as { signature?: unknown; 'event-data'?: unknown } | null | undefined
  const signed = MailgunSignature.safeParse(body?.signature)
  if (!signed.success || !isFresh(signed.data.timestamp, now, retriedForMs)) return undefined
  const { timestamp, token, signature } = signed.data
  const own = createHmac('sha256', key).update(`${timestamp}${token}`).digest()
  if (!isSame(own, Buffer.from(signature, 'hex'))) return undefined
  const { event, severity, recipient, message, 'delivery-status': status } = MailgunEvent.parse(body?.['event-data'])
  const isBounce = event === 'failed' && severity === 'permanent'
  const emailId = idIn(message?.headers?.['message-id'])
  if (recipient === undefined || emailId === undefined || !(isBounce || event === 'complained')) return []
  return [
    {
      reason: isBounce ? 'bounce' : 'complaint',
      address: recipient,
      emailId,
      words: status?.message ?? status?.description,
    },
  ]
}

/** Each stands alone: one that cannot be read keeps no other from being taken. */
const SendGridEvents = z.array(
  z
    .object({
      event: text,
      email: text,
      type: text,
      reason: text,
      'smtp-id': text,
      timestamp: z.number().optional().catch(undefined),
    })
    .catch({}),
)

function readSendGrid({ payload, header, key, now }: Delivery): MailEvent[] | undefined {
  const signature = Buffer.from(header('x-twilio-email-event-webhook-signature') ?? '', 'base64')
  const timestamp = header('x-twilio-email-event-webhook-timestamp') ?? ''
  if (!isFresh(timestamp, now, retriedForMs)) return undefined
  const signed = Buffer.concat([Buffer.from(timestamp), payload])
  if (!verify('sha256', signed, sendGridKey(key), signature)) return undefined
  return SendGridEvents.parse(JSON.parse(payload.toString())).flatMap(
    ({ event, email, type, reason: words, 'smtp-id': messageId, timestamp: seconds }): MailEvent[] => {
      // A 'blocked' one was refused for now, such as for a full mailbox.
      const isBounce = event === 'bounce' && type !== 'blocked'
      if (email === undefined || !(isBounce || event === 'spamreport')) return []
      const at = seconds === undefined ? undefined : seconds * 1_000
      return [{ reason: isBounce ? 'bounce' : 'complaint', address: email, emailId: idIn(messageId), words, at }]
    },
  )
}

/**
 * The shape of `MAIL_WEBHOOK_KEY` for a provider, and whether a text has it. One that is too short would let anybody sign.
 */
export const webhookKeys: Record<MailProvider, { what: string; isOne: (key: string) => boolean }> = {
  mailgun: {
    what: 'the HTTP webhook signing key that Mailgun shows, of 32 characters or more without blanks',
    isOne: (key) => /^[!-~]{32,}$/.test(key),
  },
  sendgrid: {
    what: 'the verification key that SendGrid shows',
    isOne(key) {
      try {
        return sendGridKey(key).asymmetricKeyType === 'ec'
      } catch {
        return false
      }
    },
  },
  resend: {
    what: 'the signing secret that Resend shows: whsec_ and the base64 of 16 bytes or more',
    isOne(key) {
      const secret = /^whsec_(.+)$/.exec(key)?.[1] ?? ''
      const bytes = Buffer.from(secret, 'base64')
      return bytes.length >= 16 && bytes.toString('base64') === secret
    },
  },
}

/** @throws where the text is no public key */
function sendGridKey(key: string) {
  return createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
}

const ResendEvent = z.object({
  type: z.string(),
  created_at: z.iso.datetime({ offset: true }).optional().catch(undefined),
  data: z.object({
    to: z.union([z.array(text), text.transform((one) => [one])]).catch([]),
    headers: z
      .array(z.object({ name: z.string(), value: z.string() }))
      .optional()
      .catch(undefined),
    bounce: z.object({ type: text, message: text }).optional().catch(undefined),
  }),
})

function readResend({ payload, header, key, now }: Delivery): MailEvent[] | undefined {
  const id = header('svix-id') ?? ''
  const timestamp = header('svix-timestamp') ?? ''
  if (!isFresh(timestamp, now, toleranceMs)) return undefined
  const secret = Buffer.from(key.replace(/^whsec_/, ''), 'base64')
  const own = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(payload).digest()
  const signatures = (header('svix-signature') ?? '').split(' ').map((each) => each.split(','))
  const isSigned = signatures.some(
    ([version, each = '']) => version === 'v1' && isSame(own, Buffer.from(each, 'base64')),
  )
  if (!isSigned) return undefined
  const { type, created_at: at, data } = ResendEvent.parse(JSON.parse(payload.toString()))
  const isBounce = type === 'email.bounced' && data.bounce?.type !== 'Transient'
  if (!(isBounce || type === 'email.complained')) return []
  const messageId = data.headers?.find(({ name }) => name.toLowerCase() === 'message-id')?.value
  return data.to.flatMap((address): MailEvent[] =>
    address === undefined
      ? []
      : [
          {
            reason: isBounce ? 'bounce' : 'complaint',
            address,
            emailId: idIn(messageId),
            words: data.bounce?.message,
            at: at === undefined ? undefined : Date.parse(at),
          },
        ],
  )
}

/** How far the time of a delivery may lie ahead of ours, and behind it: the rule of Standard Webhooks. */
const toleranceMs = 300_000
/** How far behind for Mailgun and SendGrid, which try a delivery again for up to a day, and document no such bound. */
const retriedForMs = 86_400_000

function isFresh(timestamp: string, now: number, withinMs: number): boolean {
  const age = now - Number(timestamp) * 1_000
  return /^\d{10}$/.test(timestamp) && age <= withinMs && age >= -toleranceMs
}

function parsed(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isSame(own: Buffer, other: Buffer): boolean {
  return own.length === other.length && timingSafeEqual(own, other)
}

/** The id of an email, with which its Message-ID begins. */
function idIn(messageId: string | undefined): string | undefined {
  const id = /^<?([0-9a-f-]{36})\./.exec(messageId ?? '')?.[1]
  return id !== undefined && isUuid(id) ? id : undefined
}
