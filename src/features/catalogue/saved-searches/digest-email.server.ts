import type { z } from 'zod'
import { counted } from '../../../platform/counted.ts'
import { type EmailTemplate, templateOf } from '../../../platform/email/email-contribution.ts'
import type { Email } from '../../../platform/email/message.ts'
import { emailTo } from '../../accounts/emails/email-to.server.ts'
import type { CatalogueApp } from '../app.ts'
import type { ContentType } from '../item/content-type.ts'
import { pathOfAnyItem } from '../item/vip-page.ts'
import { digestEmail, newsFor, readNews, readReader } from './digests.server.ts'
import { shelfOf } from './shelf-of.ts'
import { writeUnsubscribeToken } from './unsubscribe-token.server.ts'

/** An email names so many entries; the list has the rest. */
const maxNamed = 20

export const digestEmails: readonly EmailTemplate<CatalogueApp>[] = [templateOf(digestEmail, writeDigest)]

/** Undefined where the digest was ended meanwhile, and where nothing is left that the reader may see. */
async function writeDigest(
  app: CatalogueApp,
  { searchId, since, until }: z.infer<typeof digestEmail.data>,
): Promise<Email | undefined> {
  const search = await app.db
    .selectFrom('saved_searches')
    .select(['user_id', 'name', 'list', 'query', 'digest'])
    .where('id', '=', searchId)
    .executeTakeFirst()
  if (search === undefined || search.digest === 'off') return undefined
  const reader = await readReader(app, search.user_id)
  if (reader === undefined) return undefined
  const span = { since: new Date(since), until: new Date(until) }
  const numbers = newsFor(app, reader.viewer, search, await readNews(app, span))
  const items = await app.listing.readItems(numbers.slice(0, maxNamed), reader.viewer)
  const [first] = items
  if (first === undefined) return undefined
  const { publicUrl } = app.config
  const { brandName } = app.texts.inForce
  const more = numbers.length - items.length
  const unsubscribeUrl = `${publicUrl}/unsubscribe/${await writeUnsubscribeToken(app, app.db, searchId)}`
  const news = numbers.length === 1 ? '1 new entry' : `${numbers.length.toLocaleString('en-US')} new entries`
  return {
    unsubscribeUrl,
    ...emailTo(app, reader, {
      subject: `${news}: ${search.name}`,
      preview: items.map(({ row }) => row.name).join(' · '),
      headline: search.name,
      paragraphs: [`${counted(numbers.length, 'entry', 'entries')} came to ${brandName} since your last digest.`],
      links: items.map(({ row }) => ({
        label: row.name,
        about: row.creators,
        url: `${publicUrl}${pathOfAnyItem(row)}`,
      })),
      button: {
        label: more > 0 ? `Open all ${numbers.length.toLocaleString('en-US')}` : 'Open the search',
        url: `${publicUrl}${shelfOf(search.list as ContentType).path}${search.query}`,
      },
      notes: [`To end these emails, open ${unsubscribeUrl}`],
      reason: `You're receiving this email because you asked for a ${search.digest} digest of this search on ${publicUrl}/account/searches.`,
    }),
  }
}
