import { createTransport, type SendMailOptions } from 'nodemailer'
import { createHash } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Config } from './config.ts'
import type { Attempt, JobData, Jobs } from './jobs.ts'
import type { Log } from './log.ts'

/** A letter as it is sent. */
export interface Letter {
  to: { name?: string; address: string }
  subject: string
  text: string
  html: string
}

/**
 * Writes a letter at the moment it is sent, so that a secret in it (a reset link) lies in no queue.
 * @returns undefined when there is nobody to write to: then nothing is sent
 */
export type Compose = (data: JobData) => Promise<Letter | undefined>

/** Hands a finished message over. Rejects with `RefusedError` when it would be refused every time. */
type Carry = (message: Message, attempt: Attempt) => Promise<void>

type Message = SendMailOptions & {
  messageId: string
  subject: string
  text: string
  envelope: { from: string; to: string[] }
}

/** The receiving side will not have this letter, however often it is offered. */
class RefusedError extends Error {}

const job = 'mail'

/** Waits of 5 s, 10 s, 20 s and so on, up to an hour; 57 of them are about two days. */
const patience = { retries: 57, firstWaitSeconds: 5, longestWaitSeconds: 3_600 }

/**
 * The site's letters. A letter is put in line within the transaction of its cause, written and sent by a job, and tried
 * again for about two days while the mail server is away or asks to wait; what is refused for good is logged and left.
 *
 * **Exactly once, but for one window.** No letter is lost, and two processes never send the same one. It can only go
 * out twice if the process dies, or its connection breaks, after the mail server has taken the letter (its 250) and
 * before our note of it is committed: SMTP has no way to ask afterwards. The repeat is harmless: the same letter carries
 * the same Message-ID, by which receivers drop the second; a letter that was written anew with another secret has
 * another Message-ID, because there the second is the one whose link works. A letter that is a file replaces itself.
 */
export class Mail {
  readonly #log: Log
  readonly #from: Config['mailFrom']
  readonly #jobs: Jobs
  readonly #kinds = new Map<string, Compose>()
  readonly #carrier: { carry: Carry; close(): void }

  constructor({ config, log, jobs }: { config: Config; log: Log; jobs: Jobs }) {
    this.#log = log
    this.#from = config.mailFrom
    this.#jobs = jobs
    this.#carrier =
      config.smtpUrl === undefined ? toFiles(join(config.dataDir, 'mail'), log) : overSmtp(config.smtpUrl, log)
    jobs.define(job, (data, attempt) => this.#send(data as { kind: string; data: JobData }, attempt), patience)
  }

  /** Says how letters of a kind are written; told by the features before the jobs start. */
  register(kind: string, compose: Compose): void {
    if (this.#kinds.has(kind)) throw new Error(`Letters of the kind ${kind} are registered twice.`)
    this.#kinds.set(kind, compose)
  }

  /**
   * Puts a letter in line.
   * @param db the caller's transaction: the letter is sent if and only if that commits
   * @param data what `compose` is given; it lies in the database until the letter is sent, so it holds no secret
   */
  async queue(db: Kysely<Database>, kind: string, data: JobData): Promise<void> {
    if (!this.#kinds.has(kind)) throw new Error(`There are no letters of the kind ${kind}.`)
    await this.#jobs.add(db, job, { kind, data })
  }

  /** Lets go of the mail server. */
  close(): void {
    this.#carrier.close()
  }

  async #send({ kind, data }: { kind: string; data: JobData }, attempt: Attempt): Promise<void> {
    const compose = this.#kinds.get(kind)
    if (compose === undefined) throw new Error(`There are no letters of the kind ${kind}.`)
    const letter = await compose(data)
    if (letter === undefined) return
    try {
      await this.#carrier.carry(messageOf(letter, this.#from, attempt.id), attempt)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      this.#log.error({ kind, id: attempt.id, to: letter.to.address, err: error }, 'A letter was refused for good.')
    }
  }
}

/** One mailbox and nothing else: no list, no route, no comment, no second line. */
const mailbox = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u

/** @throws {RefusedError} when the address is not one mailbox */
function messageOf({ to, subject, text, html }: Letter, from: Config['mailFrom'], id: string): Message {
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

/** Each letter is a file, named after its job: a repeat takes the place of the first. */
function toFiles(folder: string, log: Log): { carry: Carry; close(): void } {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async carry(message, { id }) {
      const { message: bytes } = await transport.sendMail(message)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await chmod(folder, 0o700)
      const file = join(folder, `${id}.eml`)
      // Beside it and renamed: nobody ever reads half a letter.
      await writeFile(`${file}.part`, bytes as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
      log.info({ file, to: message.envelope.to[0], subject: message.subject }, 'A letter was written to a file.')
    },
    close() {
      transport.close()
    },
  }
}

/** One connection, kept open for a while; every wait ends before the process's own at its end. */
function overSmtp(url: string, log: Log): { carry: Carry; close(): void } {
  const { hostname, username, searchParams } = new URL(url)
  const transport = createTransport({
    pool: true,
    url,
    maxConnections: 1,
    // Whether a letter whose connection broke goes out again is for its job to decide, and to count.
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
    async carry(message, { id, signal }) {
      try {
        const { response } = await transport.sendMail({ ...message, signal })
        log.info({ id, messageId: message.messageId, response }, 'A letter was handed to the mail server.')
      } catch (error) {
        const cause = faultOf(error, message)
        throw isRefusal(error) ? new RefusedError('The mail server refused the letter.', { cause }) : cause
      }
    },
    close() {
      transport.close()
    },
  }
}

/**
 * What went wrong, for the log and for the note of the job. Some mail servers quote the letter in their answer: the
 * secret of its link, which is still good, must stand in neither.
 */
function faultOf(error: unknown, { text }: Message): Error {
  const { message, code, command } = error as Error & { code?: string; command?: string }
  const secrets = text.match(/[\w-]{32,}/g) ?? []
  const plain = secrets.reduce((said, secret) => said.replaceAll(secret, '***'), message)
  return Object.assign(new Error(plain), { code, command })
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/**
 * A 5xx to the recipient or to the letter itself is final. One to the password or to the sender is the operator's to
 * mend, and the letter waits for it.
 */
function isRefusal(error: unknown): boolean {
  const { permanent, command } = error as { permanent?: boolean; command?: string }
  return permanent === true && (command === 'RCPT TO' || command === 'DATA')
}
