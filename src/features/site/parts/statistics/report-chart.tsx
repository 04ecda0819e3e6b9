import { useLocation, useNavigate } from 'react-router'
import { moneyAsFigure, moneyInWords } from '../../../membership/plans/format-money.ts'
import { periodInWords } from '../../../../platform/time/period-in-words.ts'
import type { StatisticsReport } from '../../statistics/statistics-schema.ts'
import { FoldedTable } from './figures-table.tsx'
import { PeriodChart } from './period-chart.tsx'

const charts = { members: 'Members', vips: 'VIPs', revenue: 'Revenue', downloads: 'Downloads' } as const
type ChartName = keyof typeof charts
const chartNames = Object.keys(charts) as ChartName[]

const number = (value: number): string => value.toLocaleString('en-US')

/** One chart of the range, with its table. The address says which: members where it says nothing. */
export function ReportChart({ report }: { report: StatisticsReport }) {
  const requested = new URLSearchParams(useLocation().search)
  const navigate = useNavigate()
  const shown = chartNames.find((name) => name === requested.get('chart')) ?? 'members'
  const Chart = { members: Members, vips: Vips, revenue: Revenue, downloads: Downloads }[shown]
  const show = (name: ChartName): void => {
    const next = new URLSearchParams(location.search)
    if (name === 'members') next.delete('chart')
    else next.set('chart', name)
    void navigate({ search: next.toString() }, { replace: true, preventScrollReset: true })
  }
  return (
    <section className="stat-chart" aria-label={charts[shown]}>
      <div className="segments stat-switch" role="group" aria-label="Chart">
        {chartNames.map((name) => (
          <button key={name} type="button" aria-pressed={name === shown} onClick={() => show(name)}>
            {charts[name]}
          </button>
        ))}
      </div>
      <Chart report={report} />
    </section>
  )
}

/** Said in place of a chart or a table that has nothing to show. */
export function nothingSince({ from }: StatisticsReport): string {
  return `Nothing yet since ${periodInWords(from, 'long')}.`
}

const headOf = ({ unit }: StatisticsReport): string => (unit === 'day' ? 'Day' : 'Month')

function Members({ report }: { report: StatisticsReport }) {
  const { growth, unit } = report
  const joined = growth.reduce((sum, point) => sum + point.joined, 0)
  return (
    <>
      <p className="work-aside">
        {`${number(joined)} joined since ${periodInWords(report.from, 'long')}. Accounts that exist today, by the ${unit} they were created.`}
      </p>
      <PeriodChart
        kind="line"
        label={`All users by ${unit}: ${number(growth.at(-1)?.total ?? 0)} in the end.`}
        series={[{ key: 'total', label: 'All users', tone: 'first' }]}
        points={growth}
      />
      <FoldedTable
        table={{
          name: 'User growth',
          heads: [headOf(report), 'New users', 'All users'],
          rows: growth.map((point) => [point.period, point.joined, point.total]),
        }}
      />
    </>
  )
}

function Vips({ report }: { report: StatisticsReport }) {
  const { byPeriod } = report.vip
  const { unit } = report
  const [began, ended] = [byPeriod.reduce((sum, one) => sum + one.began, 0), report.vip.churned]
  if (byPeriod.every(({ total, began: some }) => total === 0 && some === 0))
    return <p className="stat-empty">{nothingSince(report)}</p>
  return (
    <>
      <p className="work-aside">
        {`Since ${periodInWords(report.from, 'long')} access began ${number(began)} times, and ${number(ended)} members are no longer VIP.`}
      </p>
      <PeriodChart
        kind="line"
        label={`VIPs by ${unit}: ${number(byPeriod.at(-1)?.total ?? 0)} in the end.`}
        series={[{ key: 'total', label: 'VIPs', tone: 'first' }]}
        points={byPeriod}
      />
      <FoldedTable
        table={{
          name: `VIPs by ${unit}`,
          heads: [headOf(report), 'Access began', 'Access ended', 'VIPs'],
          rows: byPeriod.map((point) => [point.period, point.began, point.ended, point.total]),
        }}
      />
    </>
  )
}

function Revenue({ report }: { report: StatisticsReport }) {
  const { revenue } = report
  const currencies = [...new Set(revenue.map(({ currency }) => currency))]
  if (revenue.length === 0)
    return <p className="stat-empty">{`Nothing yet since ${periodInWords(report.from.slice(0, 7), 'long')}.`}</p>
  return (
    <>
      <p className="work-aside">
        Payments received, by the month of the payment: whole months, and this month so far. Refunds and lost disputes
        are taken off in that month. Each currency is counted on its own.
      </p>
      {currencies.map((currency) => {
        const own = revenue.filter((row) => row.currency === currency)
        const points = own.map(({ month, paid, returned }) => ({ period: month, net: paid - returned }))
        const sum = points.reduce((total, { net }) => total + net, 0)
        return (
          <PeriodChart
            key={currency}
            kind="bars"
            label={`Revenue by month in ${currency.toUpperCase()}: ${moneyInWords(sum, currency)} in all.`}
            series={[{ key: 'net', label: 'Revenue', tone: 'first' }]}
            points={points}
            formatValue={(value) => moneyInWords(value, currency)}
          />
        )
      })}
      <FoldedTable
        table={{
          name: 'Revenue by month',
          heads: ['Month', 'Currency', 'Payments', 'Paid', 'Returned', 'Revenue'],
          rows: revenue.map(({ month, currency, payments, paid, returned }) => [
            month,
            currency.toUpperCase(),
            payments,
            moneyAsFigure(paid, currency),
            moneyAsFigure(returned, currency),
            moneyAsFigure(paid - returned, currency),
          ]),
        }}
      />
    </>
  )
}

function Downloads({ report }: { report: StatisticsReport }) {
  const { downloads, unit } = report
  const total = downloads.byPeriod.reduce((sum, { free, vip }) => sum + free + vip, 0)
  if (total === 0) return <p className="stat-empty">{nothingSince(report)}</p>
  return (
    <>
      <p className="work-aside">Downloads started through the gateway, and downloads by VIPs.</p>
      <PeriodChart
        kind="bars"
        label={`Downloads by ${unit}: ${number(total)} in all.`}
        series={[
          { key: 'free', label: 'Free', tone: 'first' },
          { key: 'vip', label: 'VIP', tone: 'second' },
        ]}
        points={downloads.byPeriod}
      />
      <FoldedTable
        table={{
          name: `Downloads by ${unit}`,
          heads: [headOf(report), 'Free', 'VIP'],
          rows: downloads.byPeriod.map(({ period, free, vip }) => [period, free, vip]),
        }}
      />
    </>
  )
}
