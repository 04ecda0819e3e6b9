import type { ReactNode } from 'react'
import { WorkSection } from '../../../../ui/work-page.tsx'
import { moneyAsFigure, moneyInWords } from '../../../membership/plans/format-money.ts'
import { periodInWords } from '../../statistics/period-in-words.ts'
import type { StatisticsReport } from '../../statistics/statistics-schema.ts'
import { FiguresTable } from './figures-table.tsx'
import { PeriodChart } from './period-chart.tsx'
import { StatCard, StatCards } from './stat-card.tsx'

/** Everything that belongs to a range. */
export function ReportSections({ report }: { report: StatisticsReport }) {
  return (
    <>
      <Growth report={report} />
      <Vips report={report} />
      <Revenue report={report} />
      <Downloads report={report} />
      <Conversion report={report} />
      <Searches report={report} />
    </>
  )
}

const since = ({ from }: StatisticsReport): string => `Nothing yet since ${periodInWords(from, 'long')}.`

const shortPeriod = (period: string): string => periodInWords(period)

const number = (value: number): string => value.toLocaleString('en-US')

const tierSeries = [
  { key: 'free', label: 'Free', tone: 'first' },
  { key: 'vip', label: 'VIP', tone: 'second' },
] as const

function Growth({ report }: { report: StatisticsReport }) {
  const { growth, unit } = report
  const head = unit === 'day' ? 'Day' : 'Month'
  const joined = growth.reduce((sum, point) => sum + point.joined, 0)
  const total = growth.at(-1)?.total ?? 0
  return (
    <WorkSection title="User growth">
      <p className="work-aside">
        {`Accounts that exist today, by the ${unit} they were created. Deleted accounts are not counted.`}
      </p>
      <div className="stat-charts">
        <div>
          <h3>All users</h3>
          <PeriodChart
            kind="line"
            label={`All users by ${unit}: ${number(total)} in the end.`}
            series={[{ key: 'total', label: 'All users', tone: 'first' }]}
            points={growth}
            formatPeriod={shortPeriod}
          />
        </div>
        <div>
          <h3>New users</h3>
          {joined === 0 ? (
            <p className="stat-empty">{since(report)}</p>
          ) : (
            <PeriodChart
              kind="bars"
              label={`New users by ${unit}: ${number(joined)} in all.`}
              series={[{ key: 'joined', label: 'New users', tone: 'first' }]}
              points={growth}
              formatPeriod={shortPeriod}
            />
          )}
        </div>
      </div>
      <FiguresTable
        table={{
          name: 'User growth',
          heads: [head, 'New users', 'All users'],
          rows: growth.map((point) => [point.period, point.joined, point.total]),
        }}
      />
    </WorkSection>
  )
}

function Vips({ report: { vip, from } }: { report: StatisticsReport }) {
  const { plans } = vip
  return (
    <WorkSection title="VIP analytics">
      <StatCards>
        <StatCard
          label="Active"
          figure={vip.active}
          help="Members who are VIP now, each once; nobody who is disabled."
        />
        <StatCard label="Trialing" figure={vip.trialing} help="Of these, members whose subscription is on trial." />
        <StatCard
          label="In grace"
          figure={vip.inGrace}
          help="Of these, members whose card was refused, and who can still update it."
        />
        <StatCard
          label="Churned"
          figure={vip.churned}
          help={`Members whose last access ended since ${periodInWords(from, 'long')}.`}
        />
      </StatCards>
      <FiguresTable
        isOpen
        table={{
          name: 'VIPs by plan',
          heads: ['Plan', 'Members'],
          rows: [
            ['Monthly', plans.monthly],
            ['Annual', plans.annual],
            ['Given by an administrator', plans.manual],
          ],
        }}
      />
    </WorkSection>
  )
}

function Revenue({ report }: { report: StatisticsReport }) {
  const { revenue } = report
  const currencies = [...new Set(revenue.map(({ currency }) => currency))]
  return (
    <WorkSection title="Revenue by month">
      <p className="work-aside">
        Payments received, by the month of the payment: whole months, and this month so far. Refunds and lost disputes
        are taken off in that month. Each currency stands for itself.
      </p>
      {revenue.length === 0 ? (
        <p className="stat-empty">{`Nothing yet since ${periodInWords(report.from.slice(0, 7), 'long')}.`}</p>
      ) : null}
      <div className="stat-charts">
        {currencies.map((currency) => {
          const own = revenue.filter((row) => row.currency === currency)
          const points = own.map(({ month, paid, returned }) => ({ period: month, net: paid - returned }))
          const sum = points.reduce((total, { net }) => total + net, 0)
          return (
            <div key={currency}>
              <h3>{currency.toUpperCase()}</h3>
              <PeriodChart
                kind="bars"
                label={`Revenue by month in ${currency.toUpperCase()}: ${moneyInWords(sum, currency)} in all.`}
                series={[{ key: 'net', label: 'Revenue', tone: 'first' }]}
                points={points}
                formatPeriod={shortPeriod}
                formatValue={(value) => moneyInWords(value, currency)}
              />
            </div>
          )
        })}
      </div>
      {revenue.length === 0 ? null : (
        <FiguresTable
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
      )}
    </WorkSection>
  )
}

function Downloads({ report }: { report: StatisticsReport }) {
  const { downloads, unit } = report
  const total = downloads.byPeriod.reduce((sum, { free, vip }) => sum + free + vip, 0)
  const head = unit === 'day' ? 'Day' : 'Month'
  return (
    <WorkSection title="Downloads">
      <p className="work-aside">
        Downloads started through the gateway, and downloads by VIPs. Figures by entry are kept for 400 days.
      </p>
      {total === 0 ? (
        <p className="stat-empty">{since(report)}</p>
      ) : (
        <>
          <PeriodChart
            kind="bars"
            label={`Downloads by ${unit}: ${number(total)} in all.`}
            series={tierSeries}
            points={downloads.byPeriod}
            formatPeriod={shortPeriod}
          />
          <FiguresTable
            table={{
              name: `Downloads by ${unit}`,
              heads: [head, 'Free', 'VIP'],
              rows: downloads.byPeriod.map(({ period, free, vip }) => [period, free, vip]),
            }}
          />
          <FiguresTable
            isOpen
            table={{
              name: 'Downloads by host',
              heads: ['Host', 'Free', 'VIP'],
              rows: downloads.byHost.map(({ host, free, vip }) => [host, free, vip]),
            }}
          />
          <FiguresTable
            isOpen
            table={{
              name: 'Most downloaded entries',
              heads: ['Entry', 'Free', 'VIP'],
              rows: downloads.byItem.map(({ name, free, vip }) => [name ?? 'An entry that is not listed', free, vip]),
              links: downloads.byItem.map(({ to }) => to),
            }}
          />
        </>
      )}
    </WorkSection>
  )
}

function Conversion({ report }: { report: StatisticsReport }) {
  const { conversion } = report
  return (
    <WorkSection title="Conversion by entry">
      <p className="work-aside">
        Checkouts that began on the page of an entry, and purchases within a day. Nobody is named.
      </p>
      {conversion.length === 0 ? (
        <p className="stat-empty">{since(report)}</p>
      ) : (
        <FiguresTable
          isOpen
          table={{
            name: 'Conversion by entry',
            heads: ['Entry', 'Free downloads', 'Checkouts', 'Purchases', 'Purchases in % of checkouts'],
            rows: conversion.map(({ name, downloads, checkouts, purchases }) => [
              name ?? 'An entry that is not listed',
              downloads,
              checkouts,
              purchases,
              checkouts === 0 ? '–' : Math.round((100 * purchases) / checkouts),
            ]),
            links: conversion.map(({ to }) => to),
          }}
        />
      )}
    </WorkSection>
  )
}

function Searches({ report }: { report: StatisticsReport }) {
  const { free, vip } = report.searches
  return (
    <WorkSection title="Searches without a result">
      <p className="work-aside">
        Texts that found nothing, also while they were still being typed. Searches with a filter are not counted. A
        visitor counts once an hour for each text. Nobody is named.
      </p>
      <div className="stat-charts">
        <Missed title="Free" name="Free searches without a result" missed={free} empty={since(report)} />
        <Missed title="VIP" name="VIP searches without a result" missed={vip} empty={since(report)} />
      </div>
    </WorkSection>
  )
}

function Missed({
  title,
  name,
  missed: { texts, others },
  empty,
}: {
  title: string
  name: string
  missed: StatisticsReport['searches']['free']
  empty: string
}): ReactNode {
  const rows = texts.map(({ text, searches }) => [text, searches] as const)
  return (
    <div>
      <h3>{title}</h3>
      {texts.length === 0 && others === 0 ? (
        <p className="stat-empty">{empty}</p>
      ) : (
        <FiguresTable
          isOpen
          table={{ name, heads: ['Text', 'Searches'], rows: others === 0 ? rows : [...rows, ['All others', others]] }}
        />
      )}
    </div>
  )
}
