import type { Transaction } from 'kysely'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { lockCatalogue } from '../publishing/save-items.server.ts'
import { refusalOfDatabase } from './refuse-item.server.ts'

export type SavingApp = Pick<CatalogueApp, 'db' | 'config' | 'clock' | 'listing'>

/** One transaction under the catalogue's lock. This process knows of the change before it answers. */
export async function write<T>(
  app: SavingApp,
  viewer: Viewer,
  work: (trx: Transaction<CatalogueDatabase>, by: string) => Promise<T>,
): Promise<T> {
  const { id: by } = requireMember(viewer)
  const done = await app.db
    .transaction()
    .execute(async (trx) => {
      await lockCatalogue(trx)
      return work(trx, by)
    })
    .catch((error: unknown) => {
      throw refusalOfDatabase(error) ?? error
    })
  await app.listing.catchUp()
  return done
}
