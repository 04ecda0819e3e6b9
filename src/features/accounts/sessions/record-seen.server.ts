import type { AccountsApp } from '../app.ts'

/** When a member was seen, and an app password or a private feed used, is recorded to the hour. */
export const seenToMs = 3_600_000

export async function recordSeen({ db, clock }: Pick<AccountsApp, 'db' | 'clock'>, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_seen_at: new Date(clock.now()) })
    .where('id', '=', userId)
    .execute()
}
