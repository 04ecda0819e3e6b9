import { createHmac } from 'node:crypto'
import type { AccountsDatabase } from '../../accounts/app.ts'
import type { Queryable } from '../../../db/queryable.ts'
import { ensureInstallationSecret } from '../../accounts/user/installation-secret.server.ts'

/*
 * The address of a notice's private page (docs/decisions/2026-11-23-private-pages-of-notices.md). Its token is made from the id of
 * the notice with a secret of this installation: every email can name the page anew, and the token lies in no table and in no
 * queue. `notices` keeps its digest, by which the page is found.
 */

/** @returns 32 bytes, base64url: a secret that gives its holder the rights of the sender */
export async function trackingTokenOf(db: Queryable<AccountsDatabase>, noticeId: string): Promise<string> {
  const secret = await ensureInstallationSecret(db, 'notice-pages')
  return createHmac('sha256', secret).update(noticeId).digest('base64url')
}

export function receiptPath(token: string): string {
  return `/report/receipt/${token}`
}

export function trackingPath(token: string): string {
  return `/report/track/${token}`
}
