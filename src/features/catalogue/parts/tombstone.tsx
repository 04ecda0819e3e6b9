import type { ReactNode } from 'react'
import { calendarDayInWords } from '../../../browser/format-instant.ts'
import { StatePage } from '../../../ui/state-page.tsx'
import { type TombstoneOnPage, tombstoneSentence } from '../item/tombstone.ts'
import './tombstone.css'

/** What stands in the place of a removed item: that it was removed, why, when, and the notice that can be asked about. */
export function Tombstone({ tombstone, steps }: { tombstone: TombstoneOnPage; steps: ReactNode }) {
  const { answer, kind, day, reference } = tombstone
  return (
    <StatePage drawing="missing" title="Removed" steps={steps}>
      <p>{tombstoneSentence(answer)}</p>
      <dl className="tombstone-facts">
        <div>
          <dt>Reason</dt>
          <dd>{kind}</dd>
        </div>
        <div>
          <dt>Removed on</dt>
          <dd>
            <time dateTime={day}>{calendarDayInWords(day)}</time>
          </dd>
        </div>
        <div>
          <dt>Reference</dt>
          <dd>{reference}</dd>
        </div>
      </dl>
    </StatePage>
  )
}
