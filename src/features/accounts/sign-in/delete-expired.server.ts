import type { AccountsApp } from '../app.ts'

/** Deletes the sessions and reset links that are over. They open nothing any longer; this keeps the tables small. */
export async function deleteExpired(app: Pick<AccountsApp, 'db' | 'clock'>): Promise<void> {
  const now = new Date(app.clock.now())
  await app.db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await app.db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
}
