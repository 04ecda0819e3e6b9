import { dayInWords, timeInWords, timeToTheSecond } from '../../../../browser/format-instant.ts'

const instantPattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/**
 * One value of a table: an instant as a day, with its exact time as title, other values as they are.
 * @param isExact whether the words must tell it from a value that is nearly the same
 */
export function BillingValue({
  value,
  isExact = false,
}: {
  value: string | number | boolean | null
  isExact?: boolean
}) {
  if (value === null) return <span className="billing-nothing">none</span>
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return value.toLocaleString('en-US')
  if (!instantPattern.test(value))
    return value === 'true' ? 'yes' : value === 'false' ? 'no' : value.replaceAll('_', ' ')
  return (
    <time dateTime={value} title={`${timeInWords(value)} (${value})`}>
      {isExact ? timeToTheSecond(value) : dayInWords(value)}
    </time>
  )
}
