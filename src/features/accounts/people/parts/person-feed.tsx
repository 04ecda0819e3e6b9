import { dayInWords } from '../../../../browser/format-instant.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import type { PersonPageProps } from '../person-page.ts'

export function PersonFeed({ person: { privateFeed }, now }: PersonPageProps) {
  if (privateFeed === null) return null
  const { createdAt, lastUsedAt } = privateFeed
  return (
    <WorkSection title="Private feed">
      <p>
        Created on <time dateTime={createdAt}>{dayInWords(createdAt)}</time>,{' '}
        {lastUsedAt === null ? (
          'not read yet'
        ) : (
          <>
            last read <Moment at={lastUsedAt} now={now} isToTheHour />
          </>
        )}
        . Changing their password turns it off.
      </p>
    </WorkSection>
  )
}
