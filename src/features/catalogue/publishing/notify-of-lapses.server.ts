import { z } from 'zod'
import { type EmailTemplate, templateOf } from '../../../platform/email/email-contribution.ts'
import { defineEmail } from '../../../platform/email/email-kind.ts'
import type { Email } from '../../../platform/email/message.ts'
import { counted } from '../../../platform/counted.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { CatalogueApp } from '../app.ts'

/** The shortest time between two emails, however many items lapse. */
const emailEveryMs = 86_400_000
const maxNamed = 20

const lapsesEmail = defineEmail(
  'catalogue.lapses',
  { title: 'Rights ending', urgency: 'usual', purpose: 'work' },
  z.object({
    email: z.string(),
    name: z.string(),
    count: z.int(),
    items: z.array(
      z.object({ name: z.string(), restriction: z.nullable(z.enum(['rights_lapsed', 'consent', 'gate', 'notice'])) }),
    ),
  }),
)

/**
 * Notifies the administrators by email of the items that the site has taken off by itself
 * (docs/spec/publishing.md#lapse): of the first at once, of those within a day in one email at its end. Items that were
 * dealt with meanwhile are left out.
 */
export async function notifyOfLapses({ db, mail, clock }: Pick<CatalogueApp, 'db' | 'mail' | 'clock'>): Promise<void> {
  const unsent = db.selectFrom('lapsed_items').select('item_no').where('notified_at', 'is', null)
  // It runs every minute and seldom finds one.
  if ((await unsent.limit(1).execute()).length === 0) return
  await db.transaction().execute(async (trx) => {
    // Only one of two processes sends it.
    const { sent_at: sentAt } = await trx
      .selectFrom('lapse_emails')
      .select('sent_at')
      .forUpdate()
      .executeTakeFirstOrThrow()
    const now = new Date(clock.now())
    if (sentAt !== null && sentAt.getTime() > now.getTime() - emailEveryMs) return
    const sent = await trx
      .updateTable('lapsed_items')
      .set({ notified_at: now })
      .where('notified_at', 'is', null)
      .executeTakeFirst()
    const count = Number(sent.numUpdatedRows)
    if (count === 0) return
    const items = await trx
      .selectFrom('lapsed_items as l')
      .innerJoin('items as i', 'i.no', 'l.item_no')
      .select(['i.name', 'i.restriction'])
      .where('l.notified_at', '=', now)
      .orderBy('l.restricted_at', 'desc')
      .orderBy('l.item_no', 'desc')
      .limit(maxNamed)
      .execute()
    const administrators = await trx
      .selectFrom('users')
      .select(['email', 'name'])
      .where('is_admin', '=', true)
      .orderBy('id')
      .execute()
    const emails = administrators.map((reader) => ({ ...reader, count, items }))
    if (emails.length > 0) await mail.queueMany(trx, lapsesEmail, emails)
    await trx.updateTable('lapse_emails').set({ sent_at: now }).execute()
  })
}

export const catalogueEmails: readonly EmailTemplate<CatalogueApp>[] = [templateOf(lapsesEmail, writeLapses)]

const reasons = {
  rights_lapsed: 'its rights have ended',
  consent: 'a consent was withdrawn, or has ended',
  gate: 'the gate refuses it by now',
} as const

function writeLapses(app: CatalogueApp, { count, items, ...reader }: z.infer<typeof lapsesEmail.data>): Email {
  const { brandName } = app.texts.inForce
  const subject = `${counted(count, 'entry was', 'entries were')} taken off the site`
  const more = count - items.length
  return emailTo(app, reader, {
    subject: `${subject} at ${brandName}`,
    preview: 'Renew what has ended, and publish again.',
    headline: subject,
    paragraphs: [
      'Their rights or a consent ended, or the gate refuses them by now. Nobody but administrators sees them any more.',
      ...items.map(({ name, restriction }) =>
        restriction === null || restriction === 'notice' ? `'${name}'` : `'${name}': ${reasons[restriction]}.`,
      ),
      ...(more > 0 ? [`And ${more.toLocaleString('en-US')} more.`] : []),
      'Record what was renewed on the form of each entry, and publish it again; the gate looks at it as at a new one.',
    ],
    button: { label: 'See them', url: `${app.config.publicUrl}/admin/rights?show=lapsed` },
    notes: ['You get at most one email a day about entries that the site takes off by itself.'],
    reason: `You're receiving this email because you administer ${brandName}: every administrator hears of this.`,
  })
}
