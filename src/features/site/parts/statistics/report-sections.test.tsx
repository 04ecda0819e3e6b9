import { expect, test } from 'vitest'
import { fromHtml, rendered } from '../../../../../tests/harness/rendered.ts'
import type { StatisticsReport } from '../../statistics/statistics-schema.ts'
import { ReportChart } from './report-chart.tsx'
import { ReportSections } from './report-sections.tsx'

const report: StatisticsReport = {
  range: '12m',
  from: '2024-01-01',
  unit: 'month',
  computedAt: '2024-02-20T12:00:00.000Z',
  growth: [
    { period: '2024-01', joined: 3, total: 41 },
    { period: '2024-02', joined: 5, total: 1_046 },
  ],
  monthAgo: { totalUsers: 1_000, totalVIPs: 20, totalContentRecommendations: 3, usersLastMonth: 2 },
  vip: {
    active: 21,
    trialing: 4,
    inGrace: 6,
    churned: 8,
    reasons: [
      { reason: 'cancelled', members: 6 },
      { reason: 'unpaid', members: 2 },
    ],
    byPeriod: [
      { period: '2024-01', began: 9, ended: 2, total: 20 },
      { period: '2024-02', began: 7, ended: 6, total: 21 },
    ],
    plans: { monthly: 12, annual: 7, manual: 2 },
  },
  recurring: [{ currency: 'usd', subscriptions: 17, amount: 12_345 }],
  funnel: { joined: 8, vips: 3, paid: 1 },
  revenue: [
    { month: '2024-01', currency: 'usd', payments: 9, paid: 8_100, returned: 900 },
    { month: '2024-01', currency: 'eur', payments: 2, paid: 1_600, returned: 0 },
    { month: '2024-02', currency: 'usd', payments: 11, paid: 9_900, returned: 0 },
  ],
  downloads: {
    byPeriod: [
      { period: '2024-01', free: 130, vip: 17 },
      { period: '2024-02', free: 150, vip: 19 },
    ],
    byHost: [{ host: 'Mega', free: 280, vip: 36 }],
    byItem: [
      { id: 'a', name: 'Walden', to: '/western/walden', free: 270, vip: 30 },
      { id: 'b', name: null, to: null, free: 10, vip: 6 },
    ],
  },
  conversion: [
    { slug: 'walden', name: 'Walden', to: '/western/walden', downloads: 270, checkouts: 8, purchases: 2 },
    { slug: 'gone', name: null, to: null, downloads: 10, checkouts: 0, purchases: 0 },
  ],
  searches: {
    free: { texts: [{ text: 'a white whale', searches: 14 }], others: 0 },
    vip: { texts: [{ text: 'a lost folio', searches: 3 }], others: 2 },
  },
}

/** The content of each section: its charts by their texts, its tables by their names, and their rows. */
function sectionsOf(html: string) {
  const wordsOf = (part: string, pattern: RegExp) =>
    [...part.matchAll(pattern)].map(([, inside = '']) => fromHtml(inside).text)
  return html
    .split('<section')
    .slice(1)
    .map((section) => ({
      title: wordsOf(section, /<h2[^>]*>(.*?)<\/h2>/g)[0],
      charts: wordsOf(section, /role="img" aria-label="([^"]*)"/g),
      tables: Object.fromEntries(
        [
          ...section.matchAll(
            /<(details|div) class="stat-table">([\s\S]*?<button[^>]* aria-label="Save[\s\S]*?<\/button>)/g,
          ),
        ].map(([, , table = '']) => {
          const [name = ''] = wordsOf(table, /role="region" aria-label="([^"]*)"/g)
          expect(wordsOf(table, /<button[^>]* aria-label="(Save [^"]*)"/g)).toEqual([`Save as CSV: ${name}`])
          return [
            name,
            [...table.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row = '']) =>
              wordsOf(row, /<t[hd][^>]*>(.*?)<\/t[hd]>/g),
            ),
          ]
        }),
      ),
    }))
}

const tableOf = (html: string) => sectionsOf(html)[0]

test('one chart stands above its table, and the address says which', () => {
  const at = (chart: string) => rendered(<ReportChart report={report} />, `/admin/stats?chart=${chart}`)
  const members = {
    title: undefined,
    charts: ['All users by month: 1,046 in the end.'],
    tables: {
      'User growth': [
        ['Month', 'New users', 'All users'],
        ['2024-01', '3', '41'],
        ['2024-02', '5', '1,046'],
      ],
    },
  }
  expect(tableOf(at('').html)).toEqual(members)
  expect(tableOf(at('nonsense').html)).toEqual(members)
  expect(tableOf(at('vips').html)).toMatchObject({
    charts: ['VIPs by month: 21 in the end.'],
    tables: {
      'VIPs by month': [
        ['Month', 'Access began', 'Access ended', 'VIPs'],
        ['2024-01', '9', '2', '20'],
        ['2024-02', '7', '6', '21'],
      ],
    },
  })
  expect(tableOf(at('revenue').html)).toMatchObject({
    charts: ['Revenue by month in USD: $171.00 in all.', 'Revenue by month in EUR: €16.00 in all.'],
    tables: {
      'Revenue by month': [
        ['Month', 'Currency', 'Payments', 'Paid', 'Returned', 'Revenue'],
        ['2024-01', 'USD', '9', '81.00', '9.00', '72.00'],
        ['2024-01', 'EUR', '2', '16.00', '0.00', '16.00'],
        ['2024-02', 'USD', '11', '99.00', '0.00', '99.00'],
      ],
    },
  })
  expect(tableOf(at('downloads').html)).toMatchObject({
    charts: ['Downloads by month: 316 in all.'],
    tables: {
      'Downloads by month': [
        ['Month', 'Free', 'VIP'],
        ['2024-01', '130', '17'],
        ['2024-02', '150', '19'],
      ],
    },
  })
})

test('a site without anything says so under each heading, and draws no empty chart', () => {
  const empty: StatisticsReport = {
    ...report,
    vip: { ...report.vip, active: 0, churned: 0, reasons: [], byPeriod: [] },
    recurring: [],
    funnel: { joined: 0, vips: 0, paid: 0 },
    revenue: [],
    downloads: { byPeriod: [], byHost: [], byItem: [] },
    conversion: [],
    searches: { free: { texts: [], others: 0 }, vip: { texts: [], others: 0 } },
  }
  for (const chart of ['vips', 'revenue', 'downloads']) {
    const { html, text } = rendered(<ReportChart report={empty} />, `/?chart=${chart}`)
    expect(text).toMatch(/Nothing yet since January/)
    expect(html).not.toContain('role="img"')
  }
  const { text } = rendered(<ReportSections report={empty} />)
  expect(text.match(/Nothing yet since/g)).toHaveLength(5)
  expect(text).not.toContain('Why access ended')
})

test('each other figure of the report is shown, and its table is a file', () => {
  const { html, text, hrefs } = rendered(<ReportSections report={report} />)
  for (const card of ['Active 21', 'Trialing 4', 'In grace 6', 'Churned 8', 'Recurring revenue $123.45'])
    expect(text).toContain(card)
  expect(html).toContain('aria-label="Save as CSV: VIP analytics"')
  expect(sectionsOf(html).slice(1)).toEqual([
    {
      title: 'VIP analytics',
      charts: [],
      tables: {
        'VIPs by plan': [
          ['Plan', 'Members'],
          ['Monthly', '12'],
          ['Annual', '7'],
          ['Given by an administrator', '2'],
        ],
        'Why access ended': [
          ['Reason', 'Members', 'In %'],
          ['Cancelled by the member', '6', '75.0'],
          ['The card was refused', '2', '25.0'],
        ],
      },
    },
    {
      title: 'From member to VIP',
      charts: [],
      tables: {
        'From member to VIP': [
          ['Step', 'Members', 'In % of joined'],
          ['Joined', '8', '100.0'],
          ['Had VIP access, paid or given', '3', '37.5'],
          ['Paid and not refunded', '1', '12.5'],
        ],
      },
    },
    {
      title: 'Best entries',
      charts: [],
      tables: {
        'Most downloaded entries': [
          ['Entry', 'Free', 'VIP'],
          ['Walden', '270', '30'],
          ['An entry that is not listed', '10', '6'],
        ],
        'Downloads by host': [
          ['Host', 'Free', 'VIP'],
          ['Mega', '280', '36'],
        ],
      },
    },
    {
      title: 'Conversion by entry',
      charts: [],
      tables: {
        'Conversion by entry': [
          ['Entry', 'Free downloads', 'Checkouts', 'Purchases', 'Purchases in % of checkouts'],
          ['Walden', '270', '8', '2', '25.0'],
          ['An entry that is not listed', '10', '0', '0', '–'],
        ],
      },
    },
    {
      title: 'Searches without a result',
      charts: [],
      tables: {
        'Free searches without a result': [
          ['Text', 'Searches', 'Actions'],
          ['a white whale', '14', 'Add Also known as'],
        ],
        'VIP searches without a result': [
          ['Text', 'Searches', 'Actions'],
          ['a lost folio', '3', 'Add Also known as'],
          ['All others', '2', ''],
        ],
      },
    },
  ])
  expect(hrefs).toContain('/admin/settings?edit=new&name=a+white+whale')
})
