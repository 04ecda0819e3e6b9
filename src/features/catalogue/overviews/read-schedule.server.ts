import { sql } from 'kysely'
import { dayOf } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'
import type { CatalogueApp } from '../app.ts'
import { monthAfter } from './month.ts'
import type { Schedule } from './overviews-schema.ts'

const maxOfDay = 30

export async function readSchedule(
  { db, clock, config }: Pick<CatalogueApp, 'db' | 'clock' | 'config'>,
  asked: string | undefined,
): Promise<Schedule> {
  const { timeZone } = config
  const now = clock.now()
  const today = dayOf(now, timeZone)
  const month = asked ?? (await monthToOpen({ db, config }, today.slice(0, 7), now))
  const [from, until] = [month, monthAfter(month, 1)].map((one) => new Date(startOfDay(`${one}-01`, timeZone)))
  const { rows } = await sql<{ id: string; name: string; post_date: Date; day: string; total: number }>`
    select id, name, post_date, day, total from (
      select id, name, post_date, day, count(*) over (partition by day)::int as total,
             row_number() over (partition by day order by post_date, no) as place
        from (select id, no, name, post_date, to_char(post_date at time zone ${timeZone}, 'YYYY-MM-DD') as day
                from items where status = 'published' and post_date >= ${from} and post_date < ${until}) of_month) placed
     where place <= ${maxOfDay} order by day, place`.execute(db)
  const days = Map.groupBy(rows, ({ day }) => day)
  return {
    month,
    today,
    days: [...days].map(([day, ofDay]) => ({
      day,
      total: ofDay[0]?.total ?? 0,
      entries: ofDay.map(({ id, name, post_date }) => ({
        id,
        name,
        postDate: post_date.toISOString(),
        isAhead: post_date.getTime() > now,
      })),
    })),
  }
}

/** The present month, or the nearest one that has entries. */
async function monthToOpen(
  { db, config: { timeZone } }: Pick<CatalogueApp, 'db' | 'config'>,
  present: string,
  now: number,
): Promise<string> {
  const from = new Date(startOfDay(`${present}-01`, timeZone))
  const { rows } = await sql<{ post_date: Date }>`
    (select post_date from items where status = 'published' and post_date >= ${from} order by post_date limit 1)
    union all
    (select post_date from items where status = 'published' and post_date < ${from} order by post_date desc limit 1)`.execute(
    db,
  )
  const months = rows
    .map(({ post_date }) => post_date.getTime())
    .toSorted((one, other) => Math.abs(one - now) - Math.abs(other - now))
    .map((at) => dayOf(at, timeZone).slice(0, 7))
  return months.includes(present) ? present : (months[0] ?? present)
}
