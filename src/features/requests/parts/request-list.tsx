import type { ReactNode } from 'react'
import { TextLink } from '../../../ui/button.tsx'
import { dayInWords } from '../../../browser/format-instant.ts'
import type { RequestForMember } from '../content-requests/request-schema.ts'
import { votesInWords } from './vote-button.tsx'

export function RequestList({
  requests,
  renderAction,
}: {
  requests: readonly RequestForMember[]
  renderAction: (request: RequestForMember) => ReactNode
}) {
  return (
    <ul className="requests-list">
      {requests.map((request) => (
        <li key={request.id}>
          <div>
            <h3 dir="auto">{request.title}</h3>
            {request.description === '' ? null : (
              <p className="requests-words" dir="auto">
                {request.description}
              </p>
            )}
            <p className="work-aside">
              {`${votesInWords(request.votes)} · ${dayInWords(request.createdAt)}`}
              {request.item === null ? null : (
                <>
                  {' · '}
                  <TextLink to={request.item.path}>{request.item.name}</TextLink>
                </>
              )}
            </p>
            {request.hasVoted && !request.counts ? (
              <p className="work-aside">
                {'Your vote counts once you '}
                <TextLink to="/account">confirm your address</TextLink>.
              </p>
            ) : null}
          </div>
          {renderAction(request)}
        </li>
      ))}
    </ul>
  )
}
