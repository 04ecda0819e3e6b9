import type { InDeletion } from '../../accounts/account/account-parts.ts'
import { closeAccount } from '../../accounts/account/close-account.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { features } from '../features.server.ts'

/**
 * Deletes the account of a member. Every feature may first refuse; then each ends its part elsewhere, and deletes its
 * part in the transaction. If anything fails, nothing is deleted here.
 * @param wanted.by the administrator who acts on the member's request
 * @throws {AppError} `account.other`, `safety.officer`, 403; `account.last_admin`, `account.last_safety_officer`, 409;
 * `session.invalid`, 401; and errors of the features
 */
export async function deleteAccount(
  app: SiteApp,
  viewer: Viewer,
  wanted: { email: string; by?: string },
): Promise<void> {
  const parts = features.flatMap(({ accountDeletion }) => accountDeletion ?? [])
  for (const { check } of parts) await check?.(app, viewer, wanted)
  const inDeletion: InDeletion[] = []
  const close = (): Promise<void> => closeAccount(app, viewer, { ...wanted, inDeletion })
  const run = parts.reduceRight<() => Promise<void>>((proceed, { around }) => {
    if (around === undefined) return proceed
    return () =>
      around(app, viewer, (step) => {
        if (step !== undefined) inDeletion.push(step)
        return proceed()
      })
  }, close)
  await run()
}
