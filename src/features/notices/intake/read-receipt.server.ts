import { sql } from 'kysely'
import { digestOf, looksLikeToken } from '../../accounts/sessions/tokens.server.ts'
import type { NoticesApp } from '../app.ts'
import { type ElementName, isElementName } from '../notice/notice-elements.ts'
import { noSuchNotice } from '../notice/notice-errors.ts'
import { type NoticeKind, openStatuses } from '../notice/notice-kinds.ts'
import { trackingPath } from './tracking-token.server.ts'

export interface Receipt {
  reference: string
  kind: NoticeKind
  missing: ElementName[]
  trackingPath: string
  /** `sent`: an acknowledgement goes to the address; `withheld`: many went there in that hour; `none`: no address was given. */
  email: 'sent' | 'withheld' | 'none'
  sentTo: string | undefined
}

/**
 * The receipt of a notice, by the secret of its private page. It is true for an hour at most and while the notice is open: it tells the
 * address that was typed, and what happens by when.
 * @returns undefined where it is over: the private page says how the notice stands
 * @throws {AppError} `notice.not_found`, 404
 */
export async function readReceipt({ db }: Pick<NoticesApp, 'db'>, token: string): Promise<Receipt | undefined> {
  const row = looksLikeToken(token)
    ? await db
        .selectFrom('notices')
        .select(['reference', 'kind', 'status', 'missing', 'email', 'is_acknowledged'])
        .select(sql<boolean>`received_at > now() - interval '1 hour'`.as('isNew'))
        .where('token_digest', '=', digestOf(token))
        .executeTakeFirst()
    : undefined
  if (row === undefined) throw noSuchNotice()
  const { reference, kind, status, missing, email, isNew, is_acknowledged: isAcknowledged } = row
  if (!isNew || !openStatuses.includes(status)) return undefined
  return {
    reference,
    kind,
    missing: missing.filter(isElementName),
    trackingPath: trackingPath(token),
    email: email === null ? 'none' : isAcknowledged ? 'sent' : 'withheld',
    sentTo: email ?? undefined,
  }
}
