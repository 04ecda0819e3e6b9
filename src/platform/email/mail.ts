import { createTransport, type SendMailOptions } from 'nodemailer'
import { createHash } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SqlRunner } from '../../db/queryable.ts'
import type { Config } from '../config/config.ts'
import type { Attempt, JobData, Jobs } from '../jobs/jobs.ts'
import { isLoopback } from '../is-loopback.ts'
import type { Log } from '../log.ts'

/** An email as it is sent. */
export interface Email {
  to: { name?: string; address: string }
  /** Where an answer goes, if not to the sender of all emails. */
  replyTo?: { name?: string; address: string }
  subject: string
  text: string
  html: string
}

/**
 * Writes an email at the moment it is sent, so that a secret in it (a reset link) lies in no queue.
 * @returns undefined when there is nobody to write to: then nothing is sent
 */
export type Template = (data: JobData) => Promise<Email | undefined>

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

const job = 'mail'

/** Waits of 5 s, 10 s, 20 s and so on, up to an hour; 57 of them are about two days. */
const timeout = { retries: 57, firstWaitSeconds: 5, longestWaitSeconds: 3_600 }

/**
 * The site's emails. An email is queued in the transaction of its cause, written and sent by a job, and tried
 * again for about two days while the mail server is away or asks to wait; what is refused for good is logged and left.
 *
 * **Exactly once, but for one window.** No email is lost, and two processes never send the same one. It can only go
 * out twice if the process dies, or its connection breaks, after the mail server has taken the email (its 250) and
 * before our note of it is committed: SMTP has no way to ask afterwards. The repeat is harmless: the same email carries
 * the same Message-ID, by which receivers drop the second; an email that was written anew with another secret has
 * another Message-ID, because there the second is the one whose link works. An email that is a file replaces itself.
 */
export class Mail {
  readonly #log: Log
  readonly #config: Config
  readonly #jobs: Jobs
  readonly #kinds = new Map<string, Template>()
  readonly #carrier: { transport: Transport; close(): void }

  constructor({ config, log, jobs }: { config: Config; log: Log; jobs: Jobs }) {
    this.#log = log
    this.#config = config
    this.#jobs = jobs
    this.#carrier =
      config.smtpUrl === undefined ? toFiles(join(config.dataDir, 'mail'), log) : overSmtp(config.smtpUrl, log)
    jobs.define(job, (data, attempt) => this.#send(data as { kind: string; data: JobData }, attempt), timeout)
  }

  /** Registers how emails of a kind are written; the features call it before the jobs start. */
  register(kind: string, template: Template): void {
    if (this.#kinds.has(kind)) throw new Error(`Emails of the kind ${kind} are registered twice.`)
    this.#kinds.set(kind, template)
  }

  /**
   * Queues an email.
   * @param db the caller's transaction: the email is sent if and only if that commits
   * @param data what `compose` is given; it is in the database until the email is sent, so it holds no secret
   */
  async queue(db: SqlRunner, kind: string, data: JobData): Promise<void> {
    if (!this.#kinds.has(kind)) throw new Error(`There are no emails of the kind ${kind}.`)
    await this.#jobs.add(db, job, { kind, data })
  }

  /** Lets go of the mail server. */
  close(): void {
    this.#carrier.close()
  }

  async #send({ kind, data }: { kind: string; data: JobData }, attempt: Attempt): Promise<void> {
    const template = this.#kinds.get(kind)
    if (template === undefined) throw new Error(`There are no emails of the kind ${kind}.`)
    const email = await template(data)
    if (email === undefined) return
    try {
      await this.#carrier.transport(messageOf(email, this.#config.mailFrom, attempt.id), attempt)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      this.#log.error({ kind, id: attempt.id, to: email.to.address, err: error }, 'An email was refused for good.')
      await this.#jobs.tellGivenUp({ name: job, reason: 'The receiving server refused an email for good.' })
    }
  }
}

/** One mailbox and nothing else: no list, no route, no comment, no second line. */
const mailbox = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u

/** @throws {RefusedError} when the address is not one mailbox */
function messageOf({ to, replyTo, subject, text, html }: Email, from: Config['mailFrom'], id: string): Message {
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
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Names come from people: a line break in one would begin a header of their own. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

/** Each email is a file, named after its job: a repeat replaces the first. */
function toFiles(folder: string, log: Log): { transport: Transport; close(): void } {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async transport(message, { id }) {
      const { message: bytes } = await transport.sendMail(message)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await chmod(folder, 0o700)
      const file = join(folder, `${id}.eml`)
      // Beside it and renamed: nobody ever reads half an email.
      await writeFile(`${file}.part`, bytes as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
      log.info({ file, to: message.envelope.to[0], subject: message.subject }, 'An email was written to a file.')
    },
    close() {
      transport.close()
    },
  }
}

/** One connection, kept open for a while; every wait ends before the process's own at its end. */
function overSmtp(url: string, log: Log): { transport: Transport; close(): void } {
  const { hostname, username, searchParams } = new URL(url)
  const transport = createTransport({
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
  return {
    async transport(message, { id, signal }) {
      try {
        const { response } = await transport.sendMail({ ...message, signal })
        log.info({ id, messageId: message.messageId, response }, 'An email was handed to the mail server.')
      } catch (error) {
        const cause = faultOf(error, message)
        throw isRefusal(error) ? new RefusedError('The mail server refused the email.', { cause }) : cause
      }
    },
    close() {
      transport.close()
    },
  }
}

/**
 * What went wrong, for the log and for the note of the job. Some mail servers quote the email in their answer: the
 * secret of its link, which is still good, must stand in neither.
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
  const { permanent, command } = error as { permanent?: boolean; command?: string }
  return permanent === true && (command === 'RCPT TO' || command === 'DATA')
}
