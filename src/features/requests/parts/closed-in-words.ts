import type { ClosedInquiries } from '../support/inquiry-schema.ts'

/** '1 inquiry', '12 inquiries' */
export function inquiriesInWords(count: number): string {
  return count === 1 ? '1 inquiry' : `${count.toLocaleString('en-US')} inquiries`
}

/** The result of closing several at once; unchanged ones are named. */
export function closedInWords({
  closed,
  overtaken,
  gone,
}: Pick<ClosedInquiries, 'closed' | 'overtaken' | 'gone'>): string {
  const done = `${inquiriesInWords(closed.length)} ${closed.length === 1 ? 'was' : 'were'} closed.`
  const names = overtaken.map(({ name }) => name).join(', ')
  const left =
    overtaken.length === 0
      ? []
      : [`Somebody else has changed ${inquiriesInWords(overtaken.length)} meanwhile, left as they are: ${names}.`]
  const lost = gone.length === 0 ? [] : [`${inquiriesInWords(gone.length)} had been deleted meanwhile.`]
  return [done, ...left, ...lost].join(' ')
}
