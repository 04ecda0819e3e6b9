import { sql } from 'kysely'
import { dayOf } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'
import { vipsAt } from '../../membership/access/access-stretches.server.ts'
import { moneyInWords } from '../../membership/plans/format-money.ts'
import { keptCents } from '../../membership/plans/kept-cents.server.ts'
import type { SiteApp } from '../app.ts'
import type { Figure } from './admin-home-schema.ts'

type Reader = Pick<SiteApp, 'db' | 'clock' | 'config'>

interface Money {
  currency: string
  before: string
  then: string
}

/** Yesterday in four figures, each beside that of the day before. Days are those of the site's time zone. */
export async function readYesterday({ db, clock, config }: Reader): Promise<Figure[]> {
  const midnight = startOfDay(dayOf(clock.now(), config.timeZone), config.timeZone)
  const yesterday = dayOf(midnight - 1, config.timeZone)
  const first = startOfDay(yesterday, config.timeZone)
  const dayBefore = dayOf(first - 1, config.timeZone)
  const [start, middle, end] = [new Date(startOfDay(dayBefore, config.timeZone)), new Date(first), new Date(midnight)]
  const [counts, income] = await Promise.all([
    sql<Record<'joinedBefore' | 'joined' | 'downloadsBefore' | 'downloads', number> & { vips: [number, number] }>`
      select "joinedBefore", joined, ${vipsAt([middle, end])} as vips,
             (select coalesce(sum(downloads), 0)::int from download_days where day = ${dayBefore}::date) as "downloadsBefore",
             (select coalesce(sum(downloads), 0)::int from download_days where day = ${yesterday}::date) as downloads
        from (select (count(*) filter (where created_at < ${middle}))::int as "joinedBefore",
                     (count(*) filter (where created_at >= ${middle}))::int as joined
                from users where created_at >= ${start} and created_at < ${end}) members`.execute(db),
    sql<Money>`
      select currency, coalesce(sum(${keptCents}) filter (where paid_at < ${middle}), 0) as before,
             coalesce(sum(${keptCents}) filter (where paid_at >= ${middle}), 0) as then
        from payments where status = 'paid' and paid_at >= ${start} and paid_at < ${end}
       group by currency order by currency`.execute(db),
  ])
  const [of] = counts.rows
  if (of === undefined) throw new Error('There is no row of counts.')
  return [
    { name: 'New members', ...inWords(of.joined, of.joinedBefore), to: '/admin/people' },
    { name: 'VIPs at midnight', ...inWords(of.vips[1], of.vips[0]), to: '/admin-vip-users' },
    { name: 'Downloads', ...inWords(of.downloads, of.downloadsBefore), to: '/admin/gateway' },
    {
      name: 'Income',
      value: sumOf(income.rows, 'then'),
      change: `${sumOf(income.rows, 'before')} the day before`,
      to: '/admin/billing',
    },
  ]
}

function inWords(count: number, before: number): Pick<Figure, 'value' | 'change'> {
  const more = count - before
  const change =
    more === 0
      ? 'same as the day before'
      : `${Math.abs(more).toLocaleString('en-US')} ${more > 0 ? 'more' : 'fewer'} than the day before`
  return { value: count.toLocaleString('en-US'), change }
}

function sumOf(rows: readonly Money[], day: 'before' | 'then'): string {
  const sums = rows.flatMap(({ currency, [day]: sum }) =>
    Number(sum) === 0 ? [] : moneyInWords(Number(sum), currency),
  )
  return sums.length === 0 ? 'none' : sums.join(' + ')
}
