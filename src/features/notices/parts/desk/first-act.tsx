import { timeInWords } from '../../../../browser/format-instant.ts'
import { Notice } from '../../../../ui/notice.tsx'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { firstActInWords } from '../../desk/event-in-words.ts'
import { Facts } from './facts.tsx'

export function FirstAct({ first }: { first: NonNullable<NoticeForDesk['firstAct']> }) {
  const { act, of, by, isOwn, at, legalGround, facts, explanation } = first
  return (
    <Notice tone="calm">
      <h3>Waiting for a second safety officer</h3>
      <p>
        <bdi>{by}</bdi> {firstActInWords({ act, ...(of === null ? {} : { of }) })} ({timeInWords(at)}).{' '}
        {isOwn
          ? 'Until another safety officer does the same, everything stays as it is. They were told by email.'
          : 'Look at the case yourself. If you agree, do the same; until then everything stays as it is.'}
      </p>
      {facts === null ? null : (
        <Facts
          of={[
            ['The law or the term', legalGround],
            ['Facts', facts],
            ['Explanation', explanation],
          ]}
        />
      )}
    </Notice>
  )
}
