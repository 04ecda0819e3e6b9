import { type RawBuilder, sql } from 'kysely'
import type { RightsBasis } from '../../catalogue/item/rights.ts'
import { rightsBases } from '../../catalogue/item/rights.ts'
import type { NoticesApp } from '../app.ts'
import { type NoticeKind, noticeKinds, openStatuses } from '../notice/notice-kinds.ts'
import { type ExactFigures, isCoarse, noFigures, publicFigures } from './coarse-figures.ts'
import { fewerThanFive, type TransparencyReport } from './figures-schema.ts'

type Reading = Pick<NoticesApp, 'db' | 'config'>

/** The public figures as they are now (docs/spec/notices.md#transparency). */
export async function readReport(app: Reading): Promise<TransparencyReport> {
  const [{ countedAt, groups }, bases, verification] = await Promise.all([
    countNotices(app),
    countPublishedByBasis(app),
    readVerification(app),
  ])
  const figuresOf = (kind: NoticeKind | null, year: number | null) => {
    const found = groups.find((group) => group.kind === kind && group.year === year) ?? noFigures
    return publicFigures(found, { coarse: kind !== null && isCoarse(kind) })
  }
  // A lone year with few of a coarse kind would reveal that there were any.
  const years = [...new Set(groups.map(({ year }) => year))]
    .filter((year) => year !== null)
    .filter((year) =>
      [null, ...noticeKinds].some((kind) => ![0, fewerThanFive].includes(figuresOf(kind, year).received)),
    )
    .toSorted((one, other) => other - one)
  const series = (kind: NoticeKind | null) => ({
    all: figuresOf(kind, null),
    years: years.map((year) => ({ year, figures: figuresOf(kind, year) })),
  })
  return {
    countedAt: countedAt.toISOString(),
    timeZone: app.config.timeZone,
    kinds: noticeKinds.map((kind) => ({ kind, isCoarse: isCoarse(kind), ...series(kind) })),
    together: series(null),
    published: {
      entries: bases.reduce((sum, { entries }) => sum + entries, 0),
      bases: rightsBases.map((basis) => ({ basis, entries: bases.find((one) => one.basis === basis)?.entries ?? 0 })),
    },
    verification,
  }
}

interface Group extends ExactFigures {
  /** Null: all kinds that are not coarse, together. */
  kind: NoticeKind | null
  /** Null: all years. */
  year: number | null
}

type Counted = { kind: NoticeKind; year: number } & Partial<Record<AddedFigure, number>>
type AddedFigure = Exclude<keyof ExactFigures, 'medianSeconds' | 'p90Seconds' | 'timed'>

/**
 * Counts by kind and year what can be added up, one subject after the other and all of the same moment. One query that joins all
 * of it to each notice takes several times as long.
 */
async function countNotices({ db, config: { timeZone } }: Reading): Promise<{ countedAt: Date; groups: Group[] }> {
  // By the kind that its sender chose: a notice that moved between numbers would reveal what was found in it.
  const kindAndYear = sql`n.received_as as kind, extract(year from n.received_at at time zone ${timeZone})::int as year`
  const count = (condition: RawBuilder<unknown>) => sql`(count(*) filter (where ${condition}))::int`
  const exactKinds = noticeKinds.filter((kind) => !isCoarse(kind))
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const { rows: moment } = await sql<{ now: Date }>`select now() as now`.execute(trx)
      const subjects = [
        sql<Counted>`
          select ${kindAndYear}, count(*)::int as received, ${count(sql`completed_at is null`)} as incomplete,
                 ${count(sql`status in (${sql.join(openStatuses.map((status) => sql.lit(status)))})`)} as open,
                 ${count(sql`due_at <= now()`)} as overdue,
                 ${count(sql`status in ('decided', 'closed')`)} as decided,
                 ${count(sql`status = 'withdrawn'`)} as withdrawn, ${count(sql`status = 'duplicate'`)} as duplicates
            from notices n group by 1, 2`,
        sql<Counted>`
          select ${kindAndYear}, count(*)::int as deadlines,
                 ${count(sql`c.outcome = 'met' and c.ended_at <= c.due_at`)} as "deadlinesMet"
            from notice_clocks c join notices n on n.id = c.notice_id
           where c.name = case n.kind when 'child-safety' then 'person' else 'decide' end
             and c.outcome is distinct from 'cancelled' and (c.ended_at is not null or c.due_at <= now())
           group by 1, 2`,
        sql<Counted>`
          select ${kindAndYear}, ${count(sql`later.id is null and d.outcome = 'remove'`)} as removed,
                 ${count(sql`later.id is null and d.outcome = 'restrict'`)} as restricted,
                 ${count(sql`later.id is null and d.outcome = 'keep'`)} as kept,
                 ${count(sql`d.decided_by is null`)} as "decidedBySite",
                 ${count(sql`later.outcome <> d.outcome`)} as reversals
            from notice_decisions d join notices n on n.id = d.notice_id
            left join (select id, reverses, outcome from notice_decisions where reverses is not null) later
              on later.reverses = d.id
           group by 1, 2`,
        sql<Counted>`
          select ${kindAndYear}, count(*)::int as appeals, ${count(sql`not a.is_upheld`)} as "appealsGranted",
                 ${count(sql`a.is_upheld`)} as "appealsRefused"
            from notice_appeals a join notices n on n.id = a.notice_id group by 1, 2`,
        sql<Counted>`
          select ${kindAndYear}, count(*)::int as "counterNotices", ${count(restoredByCounterNotice)} as "counterNoticesRestored",
                 count(c.action_notified_at)::int as "counterNoticesStopped"
            from counter_notices c join notices n on n.id = c.notice_id group by 1, 2`,
      ]
      const counted: Counted[] = []
      for (const subject of subjects) counted.push(...(await subject.execute(trx)).rows)
      const times = await sql<
        Pick<Group, 'kind' | 'year' | 'medianSeconds' | 'p90Seconds' | 'timed'> & { isExact: boolean | null }
      >`
        select kind, is_exact as "isExact", year, count(*)::int as timed,
               percentile_cont(0.5) within group (order by seconds) as "medianSeconds",
               percentile_cont(0.9) within group (order by seconds) as "p90Seconds"
          from (select ${kindAndYear}, n.received_as in (${sql.join(exactKinds.map((kind) => sql.lit(kind)))}) as is_exact,
                       extract(epoch from d.decided_at - n.received_at)::double precision as seconds
                  from notices n join notice_decisions d on d.notice_id = n.id and d.reverses is null) first_decisions
         group by grouping sets ((kind), (kind, year), (is_exact), (is_exact, year))`.execute(trx)
      const groups = new Map<string, Group>()
      const groupOf = (kind: NoticeKind | null, year: number | null): Group => {
        const key = `${kind ?? ''} ${year ?? ''}`
        const group = groups.get(key) ?? { ...noFigures, kind, year }
        groups.set(key, group)
        return group
      }
      for (const { kind, year, ...figures } of counted) {
        const into = [groupOf(kind, year), groupOf(kind, null)]
        if (!isCoarse(kind)) into.push(groupOf(null, year), groupOf(null, null))
        for (const group of into)
          for (const [name, value] of Object.entries(figures)) group[name as AddedFigure] += value
      }
      for (const { kind, year, isExact, ...figures } of times.rows)
        if (kind !== null || isExact === true) Object.assign(groupOf(kind, year), figures)
      return { countedAt: moment[0]?.now ?? new Date(), groups: [...groups.values()] }
    })
}

/**
 * Its restoration, a decision of the same transaction, has put an entry on the site: something else may keep all of
 * them off.
 */
const restoredByCounterNotice = sql`exists (
  select from notice_decisions d join notice_decision_items x on x.decision_id = d.id and x.effect = 'published'
   where d.notice_id = c.notice_id and d.decided_at = c.restored_at)`

/** From an index of its own: no entry is read, however many there are. */
async function countPublishedByBasis({ db }: Pick<Reading, 'db'>): Promise<{ basis: RightsBasis; entries: number }[]> {
  const { rows } = await sql<{ basis: RightsBasis; entries: number }>`
    select rights_basis as basis, count(*)::int as entries from items where status = 'published' group by rights_basis`.execute(
    db,
  )
  return rows
}

/** A second person verifies where the site asks for one and has one. */
async function readVerification({ db, config }: Reading): Promise<TransparencyReport['verification']> {
  if (!config.requiresSecondPerson) return 'single-operator'
  const administrators = await db.selectFrom('users').select('id').where('is_admin', '=', true).limit(2).execute()
  return administrators.length > 1 ? 'second-person' : 'single-operator'
}
