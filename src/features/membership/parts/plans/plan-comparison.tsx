import { useId } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { moneyInWords } from '../../plans/format-money.ts'
import { plans } from '../../plans/plans.ts'
import { annualMonthCents } from './plan-cards.tsx'
import './plan-comparison.css'

const { monthly, annual } = plans
const usd = (cents: number): string => moneyInWords(cents, 'usd')

/** A word, or whether it is there at all. */
type Cell = string | boolean

const rows: { name: string; cells: [free: Cell, monthly: Cell, annual: Cell] }[] = [
  { name: 'Price of a month', cells: [usd(0), usd(monthly.priceCents), usd(annualMonthCents)] },
  { name: 'Price of a year', cells: [usd(0), usd(12 * monthly.priceCents), usd(annual.priceCents)] },
  { name: 'Billed', cells: ['Never', 'Monthly', 'Yearly'] },
  { name: 'Free catalogues', cells: [true, true, true] },
  { name: 'VIP catalogues', cells: [false, true, true] },
  { name: 'Early access', cells: [false, true, true] },
  { name: 'Downloads', cells: ['May show ads', 'No ads', 'No ads'] },
  { name: 'Support', cells: ['Standard', 'Priority', 'Priority'] },
  { name: 'Cancel', cells: ['Not needed', 'Any time', 'Any time'] },
]

/** Under the cards what differs, as a table (docs/spec/design.md#plans). */
export function PlanComparison() {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>What differs</h2>
      <table className="comparison" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">What</span>
            </th>
            <th scope="col">Free</th>
            <th scope="col">Monthly</th>
            <th scope="col" className="is-popular">
              Annual
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells: [free, month, year] }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <CellWords cell={free} />
              </td>
              <td>
                <CellWords cell={month} />
              </td>
              <td className="is-popular">
                <CellWords cell={year} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function CellWords({ cell }: { cell: Cell }) {
  if (typeof cell === 'string') return cell
  return (
    <span className={cell ? 'comparison-mark is-there' : 'comparison-mark'}>
      <Icon name={cell ? 'check' : 'close'} />
      <span className="sr-only">{cell ? 'Included' : 'Not included'}</span>
    </span>
  )
}
