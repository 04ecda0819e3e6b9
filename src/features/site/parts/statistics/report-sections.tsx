import { WorkSection } from '../../../../ui/work-page.tsx'
import type { Figure } from '../../../../platform/csv/csv.ts'
import { moneyInWords } from '../../../membership/plans/format-money.ts'
import { periodInWords } from '../../../../platform/time/period-in-words.ts'
import { churnReasons, type StatisticsReport } from '../../statistics/statistics-schema.ts'
import { FiguresTable } from './figures-table.tsx'
import { MissedSearches } from './missed-searches.tsx'
import { nothingSince, ReportChart } from './report-chart.tsx'
import { StatCards } from './stat-card.tsx'

export function ReportSections({ report }: { report: StatisticsReport }) {
  return (
    <>
      <ReportChart report={report} />
      <Vips report={report} />
      <Funnel report={report} />
      <Entries report={report} />
      <Conversion report={report} />
      <MissedSearches report={report} />
    </>
  )
}

const percent = (part: number, whole: number): Figure | string =>
  whole === 0 ? '–' : { figure: (100 * part) / whole, decimals: 1 }

function Vips({ report: { vip, recurring, from } }: { report: StatisticsReport }) {
  const { plans } = vip
  const monthly = recurring.map(({ amount, currency }) => moneyInWords(amount, currency))
  return (
    <WorkSection title="VIP analytics">
      <StatCards
        name="VIP analytics"
        cards={[
          {
            label: 'Active',
            figure: vip.active,
            help: 'Members who are VIP now. Disabled members are not counted.',
          },
          { label: 'Trialing', figure: vip.trialing, help: 'Those whose subscription is on trial.' },
          {
            label: 'In grace',
            figure: vip.inGrace,
            help: 'Those whose card was declined and who can still update it.',
          },
          {
            label: 'Churned',
            figure: vip.churned,
            help: `Members whose last access ended since ${periodInWords(from, 'long')}.`,
          },
          {
            label: 'Recurring revenue',
            figure: monthly.length === 0 ? 0 : monthly.join(' + '),
            help: 'The last payment of each subscription that will renew, one twelfth of it for annual plans. Refunded payments are left out; taxes and fees are included.',
          },
        ]}
      />
      <div className="stat-pair">
        <FiguresTable
          title="By plan"
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
        {vip.reasons.length === 0 ? null : (
          <FiguresTable
            title="Why access ended"
            table={{
              name: 'Why access ended',
              heads: ['Reason', 'Members', 'In %'],
              rows: vip.reasons.map(({ reason, members }) => [
                churnReasons[reason],
                members,
                percent(members, vip.churned),
              ]),
            }}
          />
        )}
      </div>
    </WorkSection>
  )
}

function Funnel({ report }: { report: StatisticsReport }) {
  const { joined, vips, paid } = report.funnel
  return (
    <WorkSection title="From member to VIP">
      <p className="work-aside">
        {`Members who joined since ${periodInWords(report.from, 'long')}, and what they have done so far. Visitors are not counted, so the share who join is not known.`}
      </p>
      {joined === 0 ? (
        <p className="stat-empty">{nothingSince(report)}</p>
      ) : (
        <FiguresTable
          table={{
            name: 'From member to VIP',
            heads: ['Step', 'Members', 'In % of joined'],
            rows: [
              ['Joined', joined, percent(joined, joined)],
              ['Had VIP access, paid or given', vips, percent(vips, joined)],
              ['Paid and not refunded', paid, percent(paid, joined)],
            ],
          }}
        />
      )}
    </WorkSection>
  )
}

const unlisted = 'An entry that is not listed'

function Entries({ report }: { report: StatisticsReport }) {
  const { byHost, byItem } = report.downloads
  return (
    <WorkSection title="Best entries">
      <p className="work-aside">The twenty most downloaded. Figures by entry are kept for 400 days.</p>
      {byItem.length === 0 && byHost.length === 0 ? (
        <p className="stat-empty">{nothingSince(report)}</p>
      ) : (
        <div className="stat-pair">
          <FiguresTable
            title="Entries"
            table={{
              name: 'Most downloaded entries',
              heads: ['Entry', 'Free', 'VIP'],
              rows: byItem.map(({ name, free, vip }) => [name ?? unlisted, free, vip]),
              links: byItem.map(({ to }) => to),
            }}
          />
          <FiguresTable
            title="By host"
            table={{
              name: 'Downloads by host',
              heads: ['Host', 'Free', 'VIP'],
              rows: byHost.map(({ host, free, vip }) => [host, free, vip]),
            }}
          />
        </div>
      )}
    </WorkSection>
  )
}

function Conversion({ report }: { report: StatisticsReport }) {
  const { conversion } = report
  return (
    <WorkSection title="Conversion by entry">
      <p className="work-aside">
        Checkouts started from an entry's page, and purchases within a day. Kept for 400 days, without names.
      </p>
      {conversion.length === 0 ? (
        <p className="stat-empty">{nothingSince(report)}</p>
      ) : (
        <FiguresTable
          table={{
            name: 'Conversion by entry',
            heads: ['Entry', 'Free downloads', 'Checkouts', 'Purchases', 'Purchases in % of checkouts'],
            rows: conversion.map(({ name, downloads, checkouts, purchases }) => [
              name ?? unlisted,
              downloads,
              checkouts,
              purchases,
              percent(purchases, checkouts),
            ]),
            links: conversion.map(({ to }) => to),
          }}
        />
      )}
    </WorkSection>
  )
}
