import type { SendMailOptions } from 'nodemailer'
import { createHash, randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import type { SqlRunner } from '../../db/queryable.ts'
import type { PlatformConfig } from '../config/platform-config.ts'
import { type Attempt, defineJob, ReportedFailure } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { isLoopback } from '../is-loopback.ts'
import { makePrivateFolder } from '../private-folder.ts'
import type { Log } from '../log.ts'
import type { EmailKind, EmailUrgency } from './email-kind.ts'
import { MailOutages } from './mail-outages.ts'

/** The sender of an email. */
interface Sender {
  name: string
  address: string
}

/** An email as it is sent. */
export interface Email {
  to: { name?: string; address: string }
  /** The address for answers, if not the sender of all emails. */
  replyTo?: { name?: string; address: string }
  subject: string
  text: string
  html: string
  /** Where one POST ends emails of this kind, without signing in (RFC 8058). */
  unsubscribeUrl?: string
}

/**
 * Writes an email at the moment it is sent, so that a secret in it (a reset link) lies in no queue.
 * @param emailId the same whenever the email is written again, because it could not be sent
 * @returns undefined when there is nobody to write to: then nothing is sent
 */
export type Template = (data: unknown, emailId: string) => Promise<Email | undefined>

const priorities: Record<EmailUrgency, number> = { needed: 3, awaited: 2, usual: 1, bulk: 0 }

/** Hands a finished message over. Rejects with `RefusedError` when it would be refused every time. */
type Transport = (message: Message, attempt: Attempt) => Promise<void>

type Message = SendMailOptions & {
  messageId: string
  subject: string
  text: string
  envelope: { from: string; to: string[] }
}

/** The receiving side will not have this email, however often it is offered. */
class RefusedError extends Error {}

const job = defineJob<{ kind: string; data: unknown }>('mail')

/** Waits of 5 s, 10 s, 20 s and so on, up to an hour; 57 of them are about two days. */
const timeout = { retries: 57, firstWaitSeconds: 5, longestWaitSeconds: 3_600 }

/**
 * The site's emails. An email is queued in the transaction of its cause; a job writes and sends it, retrying for about
 * two days. No email is lost. One is sent twice only if the process dies between the mail server's answer and the
 * commit: receivers drop the second by its Message-ID, unless it has another secret.
 */
export class Mail {
  readonly #log: Log
  readonly #sender: () => Sender
  readonly #jobs: Jobs
  readonly #templates = new Map<string, Template>()
  readonly #carrier: { transport: Transport; close(): void }
  readonly #files: Transport
  readonly #isRehearsal: () => boolean

  /**
   * @param parts.sender who the emails are from, read anew for each: an administrator may change the name
   * @param parts.isRehearsal while it says so, every email is a file
   */
  constructor({
    config,
    sender,
    log,
    jobs,
    isRehearsal = () => false,
  }: {
    config: Pick<PlatformConfig, 'smtpUrl' | 'dataDir'>
    sender: () => Sender
    log: Log
    jobs: Jobs
    isRehearsal?: () => boolean
  }) {
    this.#isRehearsal = isRehearsal
    this.#log = log
    this.#sender = sender
    this.#jobs = jobs
    const files = toFiles(join(config.dataDir, 'mail'), log)
    this.#files = files.transport
    this.#carrier = config.smtpUrl === undefined ? files : overSmtp(config.smtpUrl, log)
    jobs.define(job, (data, attempt) => this.#send(data, attempt), timeout)
  }

  /** Registers how emails of a kind are written; the features call it before the jobs start. */
  register({ name }: EmailKind, template: Template): void {
    if (this.#templates.has(name)) throw new Error(`Emails of the kind ${name} are registered twice.`)
    this.#templates.set(name, template)
  }

  /**
   * Queues an email.
   * @param db the caller's transaction: the email is sent if and only if that commits
   */
  async queue<Data extends z.ZodType>(db: SqlRunner, kind: EmailKind<Data>, data: z.input<Data>): Promise<void> {
    await this.queueMany(db, kind, [data])
  }

  /** Queues several emails of a kind, in one statement; otherwise as `queue`. */
  async queueMany<Data extends z.ZodType>(
    db: SqlRunner,
    { name: kind, urgency }: EmailKind<Data>,
    data: readonly z.input<Data>[],
  ): Promise<void> {
    if (!this.#templates.has(kind)) throw new Error(`There are no emails of the kind ${kind}.`)
    const jobs = data.map((each) => ({ kind, data: each }))
    await this.#jobs.addMany(db, job, jobs, { priority: priorities[urgency] })
  }

  /** Lets go of the mail server. */
  close(): void {
    this.#carrier.close()
  }

  async #send({ kind, data }: { kind: string; data: unknown }, attempt: Attempt): Promise<void> {
    const template = this.#templates.get(kind)
    if (template === undefined) throw new Error(`There are no emails of the kind ${kind}.`)
    const email = await template(data, attempt.id)
    if (email === undefined) return
    try {
      const transport = this.#isRehearsal() ? this.#files : this.#carrier.transport
      await transport(messageOf(email, this.#sender(), attempt.id), attempt)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      this.#log.error({ kind, id: attempt.id, to: email.to.address, err: error }, 'An email was refused for good.')
      await this.#jobs.reportGivenUp({ name: job.name, reason: 'The receiving server refused an email for good.' })
    }
  }
}

/** The mail for a past that is only played, such as the demo's: nobody is to read of it, and nothing is queued. */
export function withoutSending(mail: Mail): Mail {
  return Object.create(mail, { queueMany: { value: () => Promise.resolve() } }) as Mail
}

/** One mailbox and nothing else: no list, no route, no comment, no second line. */
const mailbox = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u

/** @throws {RefusedError} when the address is not one mailbox */
function messageOf({ to, replyTo, subject, text, html, unsubscribeUrl }: Email, from: Sender, id: string): Message {
  if (!mailbox.test(to.address)) throw new RefusedError('The address is not that of one mailbox.')
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const digest = createHash('sha256')
    .update(JSON.stringify([to, subject, text]))
    .digest('hex')
    .slice(0, 16)
  return {
    messageId: `<${id}.${digest}@${domain}>`,
    from: { name: onOneLine(from.name), address: from.address },
    to: { name: onOneLine(to.name ?? ''), address: to.address },
    ...(replyTo === undefined || !mailbox.test(replyTo.address)
      ? {}
      : { replyTo: { name: onOneLine(replyTo.name ?? ''), address: replyTo.address } }),
    // Told apart from the headers: no header, however it is read, adds a recipient.
    envelope: { from: from.address, to: [to.address] },
    subject: onOneLine(subject),
    text,
    html,
    // Nobody's out-of-office note answers (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribeUrl === undefined
        ? {}
        : {
            'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Names come from people: a line break in one would begin a header of their own. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

/** Opens what carries emails, and the library for it, when the first one goes out. */
function atFirstUse<T extends { close(): void }>(open: () => Promise<T>): { get(): Promise<T>; close(): void } {
  let opened: Promise<T> | undefined
  return {
    get: () => (opened ??= open()),
    close: () => void opened?.then((each) => each.close()),
  }
}

/** Each email is a file, named after its job: a repeat replaces the first. */
function toFiles(folder: string, log: Log): { transport: Transport; close(): void } {
  const writer = atFirstUse(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  })
  return {
    async transport(message, { id }) {
      const { message: bytes } = await (await writer.get()).sendMail(message)
      await makePrivateFolder(folder)
      const file = join(folder, `${id}.eml`)
      // Beside it and renamed: nobody ever reads half an email.
      await writeFile(`${file}.part`, bytes as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
      // The subject may name a notice: beside it, the address would say who sent that.
      log.info({ file, subject: message.subject }, 'An email was written to a file.')
    },
    close: () => writer.close(),
  }
}

/** One connection, kept open for a while; every wait ends before the process's own at its end. */
async function smtpTransport(url: string) {
  const { createTransport } = await import('nodemailer')
  const { hostname, username, searchParams } = new URL(url)
  return createTransport({
    pool: true,
    url,
    maxConnections: 1,
    // Whether an email whose connection broke goes out again is for its job to decide, and to count.
    maxRequeues: 0,
    idleTimeout: 30_000,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // A password is never sent in clear over a network.
    requireTLS: username !== '' && !isLoopback(hostname) && !searchParams.has('ignoreTLS'),
  })
}

/**
 * Speaks to the mail server without sending anything.
 * @throws with its own words when it cannot be reached or refuses the password
 */
export async function tryMailServer(url: string): Promise<void> {
  const transport = await smtpTransport(url)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/**
 * Sends one email at once, past the queue, for an operator who tries the settings.
 * @returns what the mail server said of it; undefined where it was written to a file, because there is no mail server
 * @throws with the server's own words when it does not take the email
 */
export async function sendAtOnce(
  { smtpUrl, dataDir, mailFrom }: Pick<PlatformConfig, 'smtpUrl' | 'dataDir'> & { mailFrom: Sender },
  email: Email,
  log: Log,
): Promise<string | undefined> {
  const id = randomUUID()
  const message = messageOf(email, mailFrom, id)
  if (smtpUrl === undefined) {
    const { transport, close } = toFiles(join(dataDir, 'mail'), log)
    const attempt = { id, number: 1, isLast: true, signal: new AbortController().signal, isStopping: () => false }
    await transport(message, attempt).finally(close)
    return undefined
  }
  const transport = await smtpTransport(smtpUrl)
  try {
    const { response } = await transport.sendMail(message)
    return response
  } finally {
    transport.close()
  }
}

/** Emails as they leave by the queue. */
function overSmtp(url: string, log: Log): { transport: Transport; close(): void } {
  const server = atFirstUse(() => smtpTransport(url))
  const outages = new MailOutages(log)
  return {
    async transport(message, { id, signal }) {
      try {
        const { response } = await (await server.get()).sendMail({ ...message, signal })
        outages.answered()
        log.info({ id, messageId: message.messageId, response }, 'An email was handed to the mail server.')
      } catch (error) {
        const cause = faultOf(error, message)
        if (isOutage(error)) {
          outages.failed(cause.message)
          throw new ReportedFailure(cause.message, { cause })
        }
        if (isAboutEmail(error)) outages.answered()
        throw isRefusal(error) ? new RefusedError('The mail server refused the email.', { cause }) : cause
      }
    },
    close: () => server.close(),
  }
}

/**
 * The error for the log and for the job. Some mail servers quote the email in their answer: the secret of its link,
 * which is still good, must stand in neither.
 */
function faultOf(error: unknown, { text }: Message): Error {
  const { message, code, command } = error as Error & { code?: string; command?: string }
  const secrets = text.match(/[\w-]{32,}/g) ?? []
  const plain = secrets.reduce((said, secret) => said.replaceAll(secret, '***'), message)
  return Object.assign(new Error(plain), { code, command })
}

/**
 * A 5xx to the recipient or to the email itself is final. One to the password or to the sender is the operator's to
 * mend, and the email waits for it.
 */
function isRefusal(error: unknown): boolean {
  return (error as { permanent?: boolean }).permanent === true && isAboutEmail(error)
}

/** The server's answer to the recipient or to the email itself, not to us. */
function isAboutEmail(error: unknown): boolean {
  const { command } = error as { command?: string }
  return command === 'RCPT TO' || command === 'DATA'
}

/** Faults that block every email: no connection, a refused password, a refused sender. */
const outageCodes: ReadonlySet<string | undefined> = new Set([
  'ECONNECTION',
  'EDNS',
  'EAUTH',
  'EENVELOPE',
  'ENOAUTH',
  'EPROTOCOL',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
])

function isOutage(error: unknown): boolean {
  return outageCodes.has((error as { code?: string }).code) && !isAboutEmail(error)
}
