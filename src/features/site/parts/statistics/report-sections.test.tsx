import { expect, test } from 'vitest'
import { fromHtml, rendered } from '../../../../../tests/harness/rendered.ts'
import type { StatisticsReport } from '../../statistics/statistics-schema.ts'
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
  vip: { active: 21, trialing: 4, inGrace: 6, churned: 8, plans: { monthly: 12, annual: 7, manual: 2 } },
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
        [...section.matchAll(/<details[^>]*>([\s\S]*?)<\/details>/g)].map(([, table = '']) => {
          const [name = ''] = wordsOf(table, /<summary>(.*?)<\/summary>/g)
          expect(wordsOf(table, /<button[^>]* aria-label="([^"]*)"/g)).toEqual([name.replace('Table', 'Save as CSV')])
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

test('Each figure of the report is shown, and beside each chart stands a table of its figures, with a file of them', () => {
  const { html, text } = rendered(<ReportSections report={report} />)
  for (const card of ['Active 21', 'Trialing 4', 'In grace 6', 'Churned 8']) expect(text).toContain(card)
  expect(sectionsOf(html)).toEqual([
    {
      title: 'User growth',
      charts: ['All users by month: 1,046 in the end.', 'New users by month: 8 in all.'],
      tables: {
        'Table: User growth': [
          ['Month', 'New users', 'All users'],
          ['2024-01', '3', '41'],
          ['2024-02', '5', '1,046'],
        ],
      },
    },
    {
      title: 'VIP analytics',
      charts: [],
      tables: {
        'Table: VIPs by plan': [
          ['Plan', 'Members'],
          ['Monthly', '12'],
          ['Annual', '7'],
          ['Given by an administrator', '2'],
        ],
      },
    },
    {
      title: 'Revenue by month',
      charts: ['Revenue by month in USD: $171.00 in all.', 'Revenue by month in EUR: €16.00 in all.'],
      tables: {
        'Table: Revenue by month': [
          ['Month', 'Currency', 'Payments', 'Paid', 'Returned', 'Revenue'],
          ['2024-01', 'USD', '9', '81.00', '9.00', '72.00'],
          ['2024-01', 'EUR', '2', '16.00', '0.00', '16.00'],
          ['2024-02', 'USD', '11', '99.00', '0.00', '99.00'],
        ],
      },
    },
    {
      title: 'Downloads',
      charts: ['Downloads by month: 316 in all.'],
      tables: {
        'Table: Downloads by month': [
          ['Month', 'Free', 'VIP'],
          ['2024-01', '130', '17'],
          ['2024-02', '150', '19'],
        ],
        'Table: Downloads by host': [
          ['Host', 'Free', 'VIP'],
          ['Mega', '280', '36'],
        ],
        'Table: Most downloaded entries': [
          ['Entry', 'Free', 'VIP'],
          ['Walden', '270', '30'],
          ['An entry that is not listed', '10', '6'],
        ],
      },
    },
    {
      title: 'Conversion by entry',
      charts: [],
      tables: {
        'Table: Conversion by entry': [
          ['Entry', 'Free downloads', 'Checkouts', 'Purchases', 'Purchases in % of checkouts'],
          ['Walden', '270', '8', '2', '25'],
          ['An entry that is not listed', '10', '0', '0', '–'],
        ],
      },
    },
    {
      title: 'Searches without a result',
      charts: [],
      tables: {
        'Table: Free searches without a result': [
          ['Text', 'Searches'],
          ['a white whale', '14'],
        ],
        'Table: VIP searches without a result': [
          ['Text', 'Searches'],
          ['a lost folio', '3'],
          ['All others', '2'],
        ],
      },
    },
  ])
})
