import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlatformConfig } from '../config/platform-config.ts'
import { type Attempt, ReportedFailure } from '../jobs/job.ts'
import { isLoopback } from '../is-loopback.ts'
import { makePrivateFolder } from '../private-folder.ts'
import type { Log } from '../log.ts'
import { MailOutages } from './mail-outages.ts'
import { type Email, type Message, messageOf, RefusedError, type Sender } from './message.ts'

/**
 * Hands a finished message over.
 * @returns what the mail server said of it; null where it is a file
 * @throws {RefusedError} when it would be refused every time
 */
export type Transport = (message: Message, attempt: Attempt) => Promise<string | null>

/** Opens what carries emails, and the library for it, when the first one goes out. */
function atFirstUse<T extends { close(): void }>(open: () => Promise<T>): { get(): Promise<T>; close(): void } {
  let opened: Promise<T> | undefined
  return {
    get: () => (opened ??= open()),
    close: () => void opened?.then((each) => each.close()),
  }
}

/** Each email is a file, named after its job: a repeat replaces the first. */
export function toFiles(folder: string, log: Log): { transport: Transport; close(): void } {
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
      return null
    },
    close: () => writer.close(),
  }
}

/** One for each email that a process sends at once. */
export const mailConnections = 4

/** Connections are kept open for a while; every wait ends before the process's own at its end. */
async function smtpTransport(url: string) {
  const { createTransport } = await import('nodemailer')
  const { hostname, username, searchParams } = new URL(url)
  return createTransport({
    pool: true,
    url,
    maxConnections: mailConnections,
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
export function overSmtp(url: string, log: Log): { transport: Transport; close(): void } {
  const server = atFirstUse(() => smtpTransport(url))
  const outages = new MailOutages(log)
  return {
    async transport(message, { id, signal }) {
      try {
        const sent = await (await server.get()).sendMail({ ...message, signal })
        const response = withoutSecrets(sent.response, message)
        outages.answered()
        log.info({ id, messageId: message.messageId, response }, 'An email was handed to the mail server.')
        return response
      } catch (error) {
        const cause = faultOf(error, message)
        if (isOutage(error)) {
          outages.failed(cause.message)
          throw new ReportedFailure(cause.message, { cause })
        }
        if (isAboutEmail(error)) outages.answered()
        if (!isRefusal(error)) throw cause
        throw new RefusedError('The mail server refused the email.', { cause, isNoMailbox: isNoMailbox(error) })
      }
    },
    close: () => server.close(),
  }
}

/** The error for the log and for the job. */
function faultOf(error: unknown, email: Message): Error {
  const { message, code, command } = error as Error & { code?: string; command?: string }
  return Object.assign(new Error(withoutSecrets(message, email)), { code, command })
}

/** Some mail servers quote the email in their answer: the secret of its link, which is still good, must not be kept. */
function withoutSecrets(said: string, { text }: Message): string {
  const secrets = text.match(/[\w-]{32,}/g) ?? []
  return secrets.reduce((plain, secret) => plain.replaceAll(secret, '***'), said)
}

/**
 * A 5xx to the recipient or to the email itself is final. One to the password or to the sender is the operator's to
 * mend, and the email waits for it.
 */
function isRefusal(error: unknown): boolean {
  return (error as { permanent?: boolean }).permanent === true && isAboutEmail(error)
}

/** The enhanced status codes of recipients that do not exist (RFC 3463 and RFC 7505). */
function isNoMailbox(error: unknown): boolean {
  return isAboutEmail(error) && /^5\d\d[ -]5\.1\.(?:[1236]|10)\b/.test(responseOf(error))
}

/** Some servers judge the sender only when they hear of a recipient. */
function isAboutSender(error: unknown): boolean {
  return /^5\d\d[ -]5\.1\.[78]\b/.test(responseOf(error))
}

function responseOf(error: unknown): string {
  return (error as { response?: string }).response ?? ''
}

/** The server's answer to the recipient or to the email itself, not to us. */
function isAboutEmail(error: unknown): boolean {
  const { command } = error as { command?: string }
  return (command === 'RCPT TO' || command === 'DATA') && !isAboutSender(error)
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
  return isAboutSender(error) || (outageCodes.has((error as { code?: string }).code) && !isAboutEmail(error))
}
