import { defineError } from '../../../platform/errors.ts'
import { rehearsalOn } from '../../office/rehearsal.server.ts'
import type { AccountsApp } from '../app.ts'
import { applyMailEvent } from './email-fates.server.ts'
import { readMailEvents } from './mail-providers.server.ts'

/**
 * Takes what the mail provider reports of addresses (docs/spec/email.md#stops). A second delivery changes nothing.
 * @throws {AppError} `mail.no_provider`, 404; `mail.signature`, `mail.event`, 400; `rehearsal.on`, `mail.under_way`, 503
 */
export async function receiveMailEvents(
  app: Pick<AccountsApp, 'db' | 'clock' | 'config' | 'jobs' | 'rehearsal' | 'signatures'>,
  { provider, payload, header }: { provider: string; payload: Buffer; header: (name: string) => string | undefined },
): Promise<void> {
  const { mailProvider, mailWebhookKey } = app.config
  if (provider !== mailProvider || mailWebhookKey === undefined) throw noProvider()
  if (app.rehearsal.isOn) throw rehearsalOn()
  let events
  try {
    events = readMailEvents(mailProvider, { payload, header, key: mailWebhookKey, now: app.clock.now() })
  } catch (error) {
    throw unreadable({ cause: error })
  }
  if (events === undefined) {
    app.signatures.refused('mail')
    throw badMailSignature()
  }
  app.signatures.accepted('mail')
  // One that has to come again keeps no other one up.
  const failures: unknown[] = []
  for (const event of events) await applyMailEvent(app, event).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

export const noProvider = defineError({
  code: 'mail.no_provider',
  status: 404,
  sentence: 'This site takes no reports of this mail provider.',
  remedy: 'Set MAIL_PROVIDER and MAIL_WEBHOOK_KEY.',
})

export const badMailSignature = defineError({
  code: 'mail.signature',
  status: 400,
  sentence: 'The signature does not prove that this report comes from the mail provider.',
  remedy: 'Compare MAIL_WEBHOOK_KEY with the key that the provider shows, and the clock of the server.',
})

export const unreadable = defineError({
  code: 'mail.event',
  status: 400,
  sentence: 'The report of the mail provider cannot be read.',
  remedy: 'Send what the provider documents as JSON.',
})
