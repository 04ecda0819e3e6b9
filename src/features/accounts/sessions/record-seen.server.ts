import { isAppError } from '../../../platform/errors.ts'
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

/** Records that an app password or a private feed was used, where the last record is older than an hour. */
export async function recordUse(
  { clock, diskSpace }: Pick<AccountsApp, 'clock' | 'diskSpace'>,
  lastUsedAt: Date | null,
  record: (now: Date) => Promise<unknown>,
): Promise<void> {
  const now = clock.now()
  if ((lastUsedAt?.getTime() ?? 0) + seenToMs > now || diskSpace.isFull) return
  try {
    await record(new Date(now))
  } catch (error) {
    // A database that can only be read for now answers what is read all the same.
    if (!isAppError(error) || error.status !== 503) throw error
  }
}
