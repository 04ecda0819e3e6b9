import type { ReactNode } from 'react'
import { TextLink } from '../../../ui/button.tsx'
import { calendarDayInWords } from '../../../browser/format-instant.ts'
import { StatePage } from '../../../ui/state-page.tsx'
import { copyrightReason, type TombstoneOnPage, tombstoneSentence } from '../item/tombstone.ts'
import './tombstone.css'

/**
 * The page of a removed item: the removal, its reason and time, the reference of the notice, and the publisher's next
 * steps.
 */
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
      <div className="tombstone-ways">
        {kind === copyrightReason ? (
          <p>
            Did you publish this entry, and was it removed by mistake?{' '}
            <TextLink to={`/report/counter-notice?reference=${reference}`} rel="nofollow">
              Send a counter-notice
            </TextLink>
            .
          </p>
        ) : null}
        <p>
          How we handle notices: <TextLink to="/transparency">Transparency</TextLink>.
        </p>
      </div>
    </StatePage>
  )
}
