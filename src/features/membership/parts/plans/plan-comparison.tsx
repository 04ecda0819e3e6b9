import { useId } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { moneyInWords } from '../../plans/format-money.ts'
import { plans } from '../../plans/plans.ts'
import { annualMonthCents } from './plan-cards.tsx'
import './plan-comparison.css'

const { monthly, annual } = plans
const usd = (cents: number): string => moneyInWords(cents, 'usd')

/** Name, free, monthly, annual. The operator does not write them: they are what is charged. */
const prices: string[][] = [
  ['Price per month', usd(0), usd(monthly.priceCents), usd(annualMonthCents)],
  ['Price per year', usd(0), usd(12 * monthly.priceCents), usd(annual.priceCents)],
  ['Billed', 'Never', 'Monthly', 'Yearly'],
]

/**
 * Under the cards what differs, as a table (docs/spec/design.md#plans).
 * @param rows the operator's, below the prices: name, free, monthly, annual
 */
export function PlanComparison({ rows }: { rows: string[][] }) {
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
          {[...prices, ...rows].map(([name, free, month, year]) => (
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

/** 'yes' and 'no' are marks. */
function CellWords({ cell = '' }: { cell: string | undefined }) {
  const isThere = cell.toLowerCase() === 'yes'
  if (!isThere && cell.toLowerCase() !== 'no') return cell
  return (
    <span className={isThere ? 'comparison-mark is-there' : 'comparison-mark'}>
      <Icon name={isThere ? 'check' : 'close'} />
      <span className="sr-only">{isThere ? 'Included' : 'Not included'}</span>
    </span>
  )
}
