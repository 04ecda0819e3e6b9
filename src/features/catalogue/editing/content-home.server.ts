import { sql } from 'kysely'
import { counted } from '../../../platform/counted.ts'
import type { FirstStep, Problem, Waiting } from '../../office/contributions.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'

/** The prefix of the external ids of the demo catalogue's entries, and of no others. */
const demoPrefix = 'demo-'

/** Whether anything has been entered yet beside the demo catalogue. */
export async function readFirstEntry({ db }: Pick<CatalogueApp, 'db'>): Promise<FirstStep> {
  const found = await db
    .selectFrom('items')
    .select('no')
    .where((where) => where.or([where('external_id', 'is', null), where('external_id', 'not like', `${demoPrefix}%`)]))
    .limit(1)
    .executeTakeFirst()
  return {
    title: 'Add entries of your own',
    isDone: found !== undefined,
    help: found === undefined ? 'Import a file of entries, or add one.' : 'There are entries of your own.',
    to: found === undefined ? '/admin/settings?edit=new' : '/admin/settings',
  }
}

/**
 * Unpublished items whose rights another person has recorded and nobody has verified, where the site asks for that; it leads
 * to the list that has the most.
 */
export async function readUnverifiedItems(
  { db, config }: Pick<CatalogueApp, 'db' | 'config'>,
  viewer: Viewer,
): Promise<Waiting | undefined> {
  if (!config.requiresSecondPerson) return undefined
  const counts = await db
    .selectFrom('items')
    .select(['status', sql<number>`count(*)::int`.as('count')])
    // In the words of the index.
    .where(sql<boolean>`status in ('draft', 'restricted')`)
    .where('rights_attested_by', 'is not', null)
    .where('rights_verified_by', 'is', null)
    .where('rights_attested_by', '<>', requireMember(viewer).id)
    .groupBy('status')
    .orderBy('count', 'desc')
    .execute()
  const [most] = counts
  if (most === undefined) return undefined
  const count = counts.reduce((sum, { count: own }) => sum + own, 0)
  return {
    group: 'content',
    sentence: `${counted(count, 'entry', 'entries')} to verify`,
    count,
    verb: 'Verify',
    to: `/admin/settings?status=${most.status}`,
  }
}

export async function readMissingSecondPerson({ db, config }: Pick<CatalogueApp, 'db' | 'config'>): Promise<Problem[]> {
  if (!config.requiresSecondPerson) return []
  const administrators = await db.selectFrom('users').select('id').where('is_admin', '=', true).limit(2).execute()
  if (administrators.length > 1) return []
  const sentence =
    'Nothing can be published until there is a second administrator: with REQUIRE_SECOND_PERSON another person than who recorded the rights of an entry verifies them.'
  return [{ sentence, to: '/admin/people' }]
}
