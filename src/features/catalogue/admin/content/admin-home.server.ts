import { sql } from 'kysely'
import { counted } from '../../../../platform/counted.ts'
import type { FirstStep, Waiting } from '../../../accounts/feature-contributions.ts'
import type { CatalogueApp } from '../../app.ts'

/** What the home of the administration shows of the catalogue. */

const lapseDays = 30

/** What the entries of the demo catalogue, and no others, are known by: their external ids begin so. */
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
    title: 'First import or entry',
    isDone: found !== undefined,
    help: found === undefined ? 'Import a file of entries, or add one.' : 'There are entries of your own.',
    to: found === undefined ? '/admin/settings?edit=new' : '/admin/settings',
  }
}

/** Published items whose rights, or a consent, end soon. It leads to the first of them. */
export async function readLapsingItems({ db }: Pick<CatalogueApp, 'db'>): Promise<Waiting | undefined> {
  const { rows } = await sql<{ count: number; id: string; name: string }>`
    select (count(*) over ())::int as count, id, name from items
     where status = 'published' and lapses_at > now() and lapses_at < now() + make_interval(days => ${lapseDays})
     order by lapses_at, no limit 1`.execute(db)
  const [first] = rows
  if (first === undefined) return undefined
  const { count, id, name } = first
  const sentence =
    count === 1
      ? `The rights of '${name}' end within ${lapseDays} days`
      : `The rights of ${count.toLocaleString('en-US')} entries end within ${lapseDays} days, those of '${name}' first`
  return { sentence, count, to: `/admin/settings?edit=${id}` }
}

/** Items that are held back; it leads to the tab that has the most. */
export async function readRestrictedItems({ db }: Pick<CatalogueApp, 'db'>): Promise<Waiting | undefined> {
  const sections = await db
    .selectFrom('item_counts')
    .select(['section', sql<number>`sum(count)::int`.as('count')])
    .where('status', '=', 'restricted')
    .groupBy('section')
    .having(sql<number>`sum(count)`, '>', 0)
    .orderBy('count', 'desc')
    .execute()
  const [most] = sections
  if (most === undefined) return undefined
  const count = sections.reduce((sum, { count: own }) => sum + own, 0)
  return {
    sentence: `${counted(count, 'entry is', 'entries are')} restricted`,
    count,
    to: `/admin/settings?tab=${most.section}&status=restricted`,
  }
}
