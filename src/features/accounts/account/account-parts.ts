import type { AccountsTransaction } from '../app.ts'
import type { Bans } from '../user/kept-bans.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'

/** A feature's part of the data export of a member. */
export interface DataExportPart<App> {
  /** The member of the JSON file that it fills. */
  name: string
  /** Everything that the feature keeps of the member, but for what would let somebody sign in. */
  read: (app: App, viewer: Viewer) => Promise<object>
}

/** Done in the transaction that deletes an account, before its row goes. Returns the bans that outlive the account. */
export type InDeletion = (trx: AccountsTransaction) => Promise<Partial<Bans>>

/**
 * A feature's part of the deletion of an account. Consequences are queued in its transaction, as a job or an email:
 * they happen if and only if the account is gone.
 */
export interface AccountDeletionPart<App> {
  /** Refuses, before anything is done that cannot be undone. */
  check?: (app: App, viewer: Viewer, wanted: { email: string }) => Promise<void>
  /**
   * Ends what would outlive the account elsewhere, and holds what keeps others from beginning it anew while `proceed`
   * deletes the account. No transaction is open meanwhile, so it may wait for the network.
   */
  around?: (app: App, viewer: Viewer, proceed: (inDeletion?: InDeletion) => Promise<void>) => Promise<void>
}
