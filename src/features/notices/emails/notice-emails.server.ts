import type { EmailTemplates } from '../../../platform/email/email-contribution.ts'
import type { NoticesApp } from '../app.ts'
import { intakeEmails } from './acknowledgement-email.server.ts'
import { deskDigestEmails } from './desk-digest-email.server.ts'
import { deskEmails } from './desk-emails.server.ts'
import { registrationEmails } from './registration-emails.server.ts'
import { secondOfficerEmails } from './second-officer-email.server.ts'

export const noticeEmails: EmailTemplates<NoticesApp> = {
  ...intakeEmails,
  ...deskEmails,
  ...deskDigestEmails,
  ...registrationEmails,
  ...secondOfficerEmails,
}
