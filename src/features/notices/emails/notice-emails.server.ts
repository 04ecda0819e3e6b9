import { type EmailTemplate, templateOf } from '../../../platform/email/email-contribution.ts'
import type { NoticesApp } from '../app.ts'
import { writeStatement } from '../desk/statement-email.server.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { writeCounterProgress, writeCounterReceipt } from './counter-notice-emails.server.ts'
import { writeDigest } from './desk-digest-email.server.ts'
import { writeAppealAnswered, writeAsked, writeCounterForwarded, writeSecondWanted } from './desk-emails.server.ts'
import { writeReminder, writeAcknowledgement, writeKindChanged } from './sender-emails.server.ts'

/** How the emails about notices are written. Nothing goes out where the cause is gone. */
export const noticeEmails: readonly EmailTemplate<NoticesApp>[] = [
  templateOf(noticeMails.received, writeAcknowledgement),
  templateOf(noticeMails.statement, writeStatement),
  templateOf(noticeMails.appealAnswered, writeAppealAnswered),
  templateOf(noticeMails.asked, writeAsked),
  templateOf(noticeMails.kindChanged, writeKindChanged),
  templateOf(noticeMails.counterForwarded, writeCounterForwarded),
  templateOf(noticeMails.counterProgress, writeCounterProgress),
  templateOf(noticeMails.counterReceipt, writeCounterReceipt),
  templateOf(noticeMails.desk, writeDigest),
  templateOf(noticeMails.registrationEnds, writeReminder),
  templateOf(noticeMails.secondWanted, writeSecondWanted),
]
