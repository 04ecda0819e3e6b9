import type { ReactNode, Ref } from 'react'
import { TextLink } from '../../../ui/button.tsx'
import { comingDayInWords, dayInWords } from '../../../browser/format-instant.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import type { Selection } from '../../../ui/list-page/selection.tsx'
import { UserText } from '../../office/parts/user-text.tsx'
import type { RequestForAdmin } from '../content-requests/request-schema.ts'

export const statusWords = { pending: 'Pending', approved: 'Approved', rejected: 'Rejected' } as const

/**
 * A request in the list of administrators.
 * @param focus where the focus goes: what had it is gone
 */
export function RequestRow({
  wanted: { id, title, description, author, votes, status, createdAt, item, removedAt },
  now,
  selection,
  focus,
  actions,
}: {
  wanted: RequestForAdmin
  now: number
  selection: Selection
  focus: Ref<HTMLTableCellElement> | undefined
  actions: ReactNode
}) {
  const isOff = status === 'rejected' || removedAt !== null
  return (
    <tr className={isOff ? 'is-off' : item === null ? undefined : 'is-good'}>
      <td {...(focus === undefined ? {} : { ref: focus, tabIndex: -1 })}>
        <div className="inquiry-head">
          {removedAt === null ? (
            <Checkbox
              name="chosen"
              label={<span className="sr-only">{`Select ${title}`}</span>}
              checked={selection.has(id)}
              onChange={({ currentTarget }) => selection.choose([id], currentTarget.checked)}
            />
          ) : null}
          <div className="request-title">
            <p dir="auto">{title}</p>
            <p className="requests-author">
              {'Asked by '}
              {author === null ? (
                'a deleted account'
              ) : (
                <TextLink to={`/admin/people/${author.id}`}>
                  <UserText>{author.name}</UserText>
                </TextLink>
              )}
            </p>
          </div>
        </div>
      </td>
      <td className="requests-words" dir="auto">
        {description}
      </td>
      <td className="data-figure">{votes.toLocaleString('en-US')}</td>
      <td className="requests-status">
        {removedAt === null ? null : 'Taken down, was '}
        {item === null ? (
          inSentence(statusWords[status], removedAt)
        ) : (
          <>
            {inSentence('Fulfilled by ', removedAt)}
            <TextLink to={item.path}>{item.name}</TextLink>
            {item.opensAt === null ? null : ` ${comingDayInWords(item.opensAt, now)}`}
          </>
        )}
      </td>
      <td>
        <time dateTime={createdAt}>{dayInWords(createdAt)}</time>
      </td>
      <td>{removedAt === null ? actions : null}</td>
    </tr>
  )
}

/** The words stand alone, or within 'Taken down, was …'. */
function inSentence(words: string, removedAt: string | null): string {
  return removedAt === null ? words : words.toLowerCase()
}
