import { createHash } from 'node:crypto'
import type { SendMailOptions } from 'nodemailer'

export interface Sender {
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

/** An email as the library for mail takes it. */
export type Message = SendMailOptions & {
  messageId: string
  subject: string
  text: string
  envelope: { from: string; to: string[] }
}

/** The receiving side will not have this email, however often it is offered. */
export class RefusedError extends Error {
  /** Whether it says that there is no such mailbox. */
  readonly isNoMailbox: boolean

  constructor(message: string, { cause, isNoMailbox = false }: { cause?: unknown; isNoMailbox?: boolean } = {}) {
    super(message, { cause })
    this.isNoMailbox = isNoMailbox
  }
}

/** One mailbox and nothing else: no list, no route, no comment, no second line. */
const mailbox = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u

/** @throws {RefusedError} when the address is not one mailbox */
export function messageOf(
  { to, replyTo, subject, text, html, unsubscribeUrl }: Email,
  from: Sender,
  id: string,
): Message {
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
