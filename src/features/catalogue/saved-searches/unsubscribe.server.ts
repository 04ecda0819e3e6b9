import type { CatalogueApp } from '../app.ts'
import { readUnsubscribeToken } from './unsubscribe-token.server.ts'

/** The digest behind the link of an email. `over`: its emails have ended, whoever has done it. */
export type Unsubscribing = { kind: 'unknown' } | { kind: 'over' } | { kind: 'on'; name: string }

export async function findDigest(app: Pick<CatalogueApp, 'gateway' | 'db'>, token: string): Promise<Unsubscribing> {
  const id = await readUnsubscribeToken(app, token)
  if (id === undefined) return { kind: 'unknown' }
  const found = await app.db
    .selectFrom('saved_searches')
    .select(['name', 'digest'])
    .where('id', '=', id)
    .executeTakeFirst()
  return found === undefined || found.digest === 'off' ? { kind: 'over' } : { kind: 'on', name: found.name }
}

/** Ends the emails about one saved search; the search stays. Everybody who has the email may do it, as often as they like. */
export async function endDigest(app: Pick<CatalogueApp, 'gateway' | 'db'>, token: string): Promise<Unsubscribing> {
  const id = await readUnsubscribeToken(app, token)
  if (id === undefined) return { kind: 'unknown' }
  await app.db
    .updateTable('saved_searches')
    .set({ digest: 'off', next_digest_at: null, digested_until: null })
    .where('id', '=', id)
    .execute()
  return { kind: 'over' }
}
