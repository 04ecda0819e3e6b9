import type { Migration } from 'kysely/migration'
import * as accounts from './0001-accounts.ts'
import * as membership from './0002-membership.ts'
import * as catalogue from './0003-catalogue.ts'
import * as requests from './0004-requests.ts'
import * as notices from './0005-notices.ts'
import * as site from './0006-site.ts'
import * as readersMemory from './0007-readers-memory.ts'
import * as fingerprintsInSmallParts from './0008-fingerprints-in-small-parts.ts'

/**
 * The last migration of the version before this one. That version goes on with a database which this one has migrated, and may be
 * started on it again (docs/architecture.md#neighbours).
 */
export const lastOfFormer = '0007-readers-memory'

/** Every migration in its order. A static list: the bundle and the file system need not agree on a folder. */
export const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-membership': membership,
  '0003-catalogue': catalogue,
  '0004-requests': requests,
  '0005-notices': notices,
  '0006-site': site,
  '0007-readers-memory': readersMemory,
  '0008-fingerprints-in-small-parts': fingerprintsInSmallParts,
}
