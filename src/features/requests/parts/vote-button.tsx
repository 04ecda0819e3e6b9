import { counted } from '../../../platform/counted.ts'
import { request } from '../../../browser/api-client.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { Notice } from '../../../ui/notice.tsx'
import { RequestForMember } from '../content-requests/request-schema.ts'
import { requestsPath } from './request-paths.ts'

/** Votes, or takes the vote back; the author of a request has voted for it. */
export function VoteButton({
  wanted,
  label = 'Vote',
  onChanged,
}: {
  wanted: RequestForMember
  /** While the member has not voted. */
  label?: string
  onChanged: (changed: RequestForMember) => void
}) {
  const { id, title, hasVoted, isOwn } = wanted
  const vote = useApiMutation({
    mutationFn: () => request(`${requestsPath}/${id}/vote`, RequestForMember, { method: hasVoted ? 'DELETE' : 'PUT' }),
    onSuccess: onChanged,
  })
  if (isOwn) return <span className="badge">Your request</span>
  return (
    <div>
      <button
        type="button"
        className={hasVoted ? 'button' : 'button button-tint'}
        aria-disabled={vote.isPending}
        onClick={() => {
          if (!vote.isPending) vote.mutate()
        }}
      >
        {hasVoted ? 'Take the vote back' : label}
        <span className="sr-only">{`: ${title}`}</span>
      </button>
      <div role="status">{vote.error === null ? null : <Notice tone="failed">{vote.error.message}</Notice>}</div>
    </div>
  )
}

/** The condition under which the caller's vote counts; empty once it does. */
export function countsInWords({ counts }: Pick<RequestForMember, 'counts'>): string {
  return counts ? '' : ' Your vote counts once you confirm your address.'
}

/** '1 vote', '12 votes' */
export function votesInWords(votes: number): string {
  return counted(votes, 'vote')
}
