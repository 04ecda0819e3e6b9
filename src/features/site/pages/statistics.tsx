import { lazy, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { timeInWords } from '../../../browser/format-instant.ts'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { WorkAwaited } from '../../../ui/work-awaited.tsx'
import { WorkPage, WorkTools, WorkWaiting } from '../../../ui/work-page.tsx'
import { useAdminQuery } from '../../office/browser/admin-query.ts'
import { StatCards } from '../parts/statistics/stat-card.tsx'
import { statisticsRangeNames, statisticsRanges } from '../statistics/statistics-range.ts'
import { Statistics, StatisticsReport } from '../statistics/statistics-schema.ts'

export const handle = { title: 'Statistics' } satisfies TitledPage

export const meta = guardedMeta

/** Loaded with the charts where there are figures to draw: never by the server. */
const ReportSections = lazy(async () => ({
  default: (await import('../parts/statistics/report-sections.tsx')).ReportSections,
}))

const failed = 'Failed to load statistics. Please try again.'

export default function StatisticsRoute() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const requested = new URLSearchParams(search).get('range')
  const range = statisticsRangeNames.find((name) => name === requested) ?? '30d'
  const cards = useAdminQuery('/api/stats', Statistics)
  const report = useAdminQuery(`/api/stats/report?range=${range}`, StatisticsReport, { keepsPrevious: true })
  const isFetching = cards.isFetching || report.isFetching
  const refetch = (): void => {
    cards.refetch()
    report.refetch()
  }
  const error = cards.error ?? report.error
  const isWhole = cards.data !== undefined && report.data !== undefined

  return (
    <WorkPage
      title="Statistics"
      lead="How the site grows, what VIPs bring in, what people download, and which searches find nothing."
      actions={
        <>
          <ButtonLink label="Manage Content" to="/admin/settings" />
          <ButtonLink label="Manage VIP Users" to="/admin-vip-users" />
          <ButtonLink label="View Requests" to="/admin/requests" />
        </>
      }
    >
      {error !== undefined && isWhole ? <Notice tone="failed">{failed}</Notice> : null}
      {cards.data === undefined || report.data === undefined ? (
        <WorkAwaited failure={failed} query={{ error: error && { message: failed }, isFetching, refetch }} />
      ) : (
        <>
          <Cards figures={cards.data} before={report.data.monthAgo} />
          <WorkTools>
            <Select
              name="range"
              label="Range"
              value={range}
              options={statisticsRangeNames.map((name) => ({ value: name, label: statisticsRanges[name] }))}
              onChange={(next) => void navigate({ search: withRange(next) }, { preventScrollReset: true })}
            />
            <Button label={isFetching ? 'Loading...' : 'Refresh'} isBusy={isFetching} onClick={refetch} />
            <p className="work-aside">
              {`As of ${timeInWords(report.data.computedAt)}, updated at most once a minute. Deleted accounts are left out of all member and VIP figures, past ones included; their payments, downloads and requests still count.`}
            </p>
          </WorkTools>
          <Suspense fallback={<WorkWaiting />}>
            <ReportSections report={report.data} />
          </Suspense>
        </>
      )}
    </WorkPage>
  )
}

/** The address of the window: it has changed before the page is drawn anew. */
function withRange(range: string): string {
  const next = new URLSearchParams(location.search)
  if (range === '30d') next.delete('range')
  else next.set('range', range)
  return next.toString()
}

function Cards({ figures, before }: { figures: Statistics; before: StatisticsReport['monthAgo'] }) {
  return (
    <StatCards
      name="Totals"
      cards={[
        {
          label: 'Total Users',
          figure: figures.totalUsers,
          help: `${changeInWords(figures.totalUsers - before.totalUsers)} in 30 days`,
        },
        {
          label: 'Total VIPs',
          figure: figures.totalVIPs,
          help: `${changeInWords(figures.totalVIPs - before.totalVIPs)} in 30 days, ${figures.vipPercentage.toLocaleString('en-US')}% of all accounts`,
        },
        {
          label: 'Content Requests',
          figure: figures.totalContentRecommendations,
          help: `${changeInWords(figures.totalContentRecommendations - before.totalContentRecommendations)} in 30 days, decided or not`,
        },
        {
          label: 'Users Last Month',
          figure: figures.usersLastMonth,
          help: `${before.usersLastMonth.toLocaleString('en-US')} in the 30 days before`,
        },
      ]}
    />
  )
}

/** '+4', '−2' */
function changeInWords(change: number): string {
  if (change === 0) return 'No change'
  return `${change > 0 ? '+' : '−'}${Math.abs(change).toLocaleString('en-US')}`
}
