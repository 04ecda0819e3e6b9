import { join } from 'node:path'
import type { z } from 'zod'
import type { SqlRunner } from '../../db/queryable.ts'
import type { PlatformConfig } from '../config/platform-config.ts'
import { type Attempt, defineJob } from '../jobs/job.ts'
import { emailInWords } from '../jobs/job-words.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { EmailKind, EmailUrgency } from './email-kind.ts'
import { MailPace } from './mail-pace.ts'
import { type Email, messageOf, RefusedError, type Sender } from './message.ts'
import { mailConnections, overSmtp, toFiles, type Transport } from './transports.ts'

/**
 * Writes an email at the moment it is sent, so that a secret in it (a reset link) lies in no queue.
 * @param emailId the same whenever the email is written again, because it could not be sent
 * @returns undefined when there is nobody to write to: then nothing is sent
 */
export type Template = (data: unknown, emailId: string) => Promise<Email | undefined>

export interface EmailFate {
  id: string
  kind: EmailKind
  address: string
  /** `sent`: the mail server has taken it. `file`: there is none, or this is a rehearsal. `withheld`: it was not to go there. */
  fate: 'sent' | 'file' | 'refused' | 'withheld'
  /** The mail server's own words. */
  answer: string | null
  /** Whether they say that there is no such mailbox. */
  isNoMailbox?: boolean
}

const priorities: Record<EmailUrgency, number> = { needed: 3, awaited: 2, usual: 1, bulk: 0 }

const job = defineJob<{ kind: string; data: unknown }>('mail')

/**
 * Waits of 5 s, 10 s, 20 s and so on, up to an hour; 57 of them are about two days. One of the workers takes nothing but
 * what somebody can do nothing without, so it goes out at once however many others are under way.
 */
const options = {
  retries: 57,
  firstWaitSeconds: 5,
  longestWaitSeconds: 3_600,
  workers: Array.from({ length: mailConnections }, (_, at) => (at === 0 ? { minPriority: priorities.needed } : {})),
}

/**
 * The site's emails. An email is queued in the transaction of its cause; a job writes and sends it, retrying for about
 * two days. No email is lost. One is sent twice only if the process dies between the mail server's answer and the
 * commit: receivers drop the second by its Message-ID, unless it has another secret.
 */
export class Mail {
  readonly #log: Log
  readonly #sender: () => Sender
  readonly #jobs: Jobs
  readonly #kinds = new Map<string, { kind: EmailKind; template: Template }>()
  readonly #pace: MailPace | undefined
  #onFate: (fate: EmailFate) => Promise<void> = () => Promise.resolve()
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
    config: Pick<PlatformConfig, 'smtpUrl' | 'mailRate' | 'dataDir'>
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
    this.#pace = config.mailRate === undefined ? undefined : new MailPace(config.mailRate)
    jobs.define(job, (data, attempt) => this.#send(data, attempt), options)
  }

  /** Registers how emails of a kind are written; the features call it before the jobs start. */
  register(kind: EmailKind, template: Template): void {
    if (this.#kinds.has(kind.name)) throw new Error(`Emails of the kind ${kind.name} are registered twice.`)
    this.#kinds.set(kind.name, { kind, template })
  }

  /** How administrators read of emails of a kind: of `accounts.new-device` 'New device'. Kinds of earlier versions may stand in the log. */
  titleOf(kind: string): string {
    return this.#kinds.get(kind)?.kind.title ?? emailInWords(kind)
  }

  /** Also of kinds that are not known: they are another version's, and may have been. */
  isDiscreet(kind: string): boolean {
    const known = this.#kinds.get(kind)
    return known === undefined || known.kind.isDiscreet === true
  }

  /** Has it told what becomes of each email; a failure to note it is logged, and the email is not sent again for it. */
  follow(onFate: (fate: EmailFate) => Promise<void>): void {
    this.#onFate = onFate
  }

  /** To be called for an email that is not to go out. */
  async reportFate(fate: EmailFate): Promise<void> {
    try {
      await this.#onFate(fate)
    } catch (error) {
      this.#log.error(
        { id: fate.id, kind: fate.kind.name, err: error },
        'It could not be noted what became of an email.',
      )
    }
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
    if (!this.#kinds.has(kind)) throw new Error(`There are no emails of the kind ${kind}.`)
    const jobs = data.map((each) => ({ kind, data: each }))
    await this.#jobs.addMany(db, job, jobs, { priority: priorities[urgency] })
  }

  /** Lets go of the mail server. */
  close(): void {
    this.#carrier.close()
  }

  async #send({ kind: name, data }: { kind: string; data: unknown }, attempt: Attempt): Promise<void> {
    const registered = this.#kinds.get(name)
    // Without its name, which is shown in the list of jobs: it could be a discreet one.
    if (registered === undefined) throw new Error('This version of Daybook has no such email.')
    const { kind, template } = registered
    if (kind.urgency !== 'needed') await this.#pace?.turn(attempt)
    const email = await template(data, attempt.id)
    if (email === undefined) return
    const said = { id: attempt.id, kind, address: email.to.address }
    try {
      const transport = this.#isRehearsal() ? this.#files : this.#carrier.transport
      const answer = await transport(messageOf(email, this.#sender(), attempt.id), attempt)
      await this.reportFate({ ...said, fate: answer === null ? 'file' : 'sent', answer })
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      const { isNoMailbox, cause = error } = error
      // The address, which the server's answer may quote, would say who has sent a notice.
      const told = this.isDiscreet(name) ? {} : { kind: name }
      this.#log.error({ ...told, id: attempt.id, to: email.to.address, err: error }, 'An email was refused for good.')
      await this.reportFate({ ...said, fate: 'refused', answer: (cause as Error).message, isNoMailbox })
      await this.#jobs.reportGivenUp({ name: job.name, reason: 'The receiving server refused an email for good.' })
    }
  }
}

/** The mail for a past that is only played, such as the demo's: nobody is to read of it, and nothing is queued. */
export function withoutSending(mail: Mail): Mail {
  return Object.create(mail, { queueMany: { value: () => Promise.resolve() } }) as Mail
}
