import { useRef } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { ApiError, noAnswer, request } from '../../../browser/api-client.ts'
import { agoInWords, dayInWords, timeInWords } from '../../../browser/format-instant.ts'
import { fetches, useApiMutation, useApiQuery } from '../../../browser/queries.ts'
import { type SessionForMember, SessionsForMember } from '../sessions/session-schema.ts'
import { AccountPart } from './settings-section.tsx'
import './sessions-list.css'

/** Changes when a session ends, also by another call: `refetchAnswers` has the list asked for anew. */
export const sessionsPath = '/auth/sessions'

/** One session, or all but this one. */
type Ending = SessionForMember | 'others'

/** Where the member is signed in; each session can be ended, and all but this one at once. */
export function SessionsList({ onSignOut }: { onSignOut: () => void }) {
  const { data, answeredAt, error, isFetching, refetch, setData } = useApiQuery(
    fetches(sessionsPath, SessionsForMember),
  )
  const end = useEnding((isEnded) =>
    setData((known) => known && { sessions: known.sessions.filter((session) => !isEnded(session)) }),
  )
  const heading = useRef<HTMLHeadingElement>(null)
  const sessions = data?.sessions
  const hasFailed = error !== undefined && !isFetching
  const others = sessions?.filter(({ isCurrent }) => !isCurrent).length ?? 0

  const endOf = (what: Ending): void => {
    if (end.isPending) return
    end.mutate(what, {
      // The button that was pressed is gone.
      onSuccess: () => heading.current?.focus(),
    })
  }

  return (
    <AccountPart title="Sessions" titleRef={heading}>
      <p>Where you are signed in. End any session you don't recognize, then change your password.</p>
      {sessions === undefined && !hasFailed ? (
        <div className="sessions-waiting">
          <Spinner />
        </div>
      ) : null}
      {hasFailed ? (
        <div className="notice" role="alert">
          <p>Your sessions could not be loaded.</p>
          <button
            type="button"
            className="button"
            onClick={() => {
              // The button goes.
              heading.current?.focus()
              refetch()
            }}
          >
            Try again
          </button>
        </div>
      ) : null}
      {sessions === undefined ? null : (
        <ul className="sessions">
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              now={answeredAt}
              isEnding={end.isPending && end.variables !== 'others' && isMeant(session, end.variables)}
              onEnd={() => {
                if (session.isCurrent) onSignOut()
                else endOf(session)
              }}
            />
          ))}
        </ul>
      )}
      <Announced>
        {end.error === null ? null : <Notice tone="failed">{end.error.message}</Notice>}
        {end.isSuccess ? <Notice tone="done">{endedInWords(end.variables)}</Notice> : null}
      </Announced>
      {others === 0 ? null : (
        <div className="account-steps">
          <button type="button" className="button" aria-disabled={end.isPending} onClick={() => endOf('others')}>
            {end.isPending && end.variables === 'others' ? 'Ending...' : 'End all other sessions'}
          </button>
        </div>
      )}
    </AccountPart>
  )
}

function SessionRow({
  session,
  now,
  isEnding,
  onEnd,
}: {
  session: SessionForMember
  now: number
  isEnding: boolean
  onEnd: () => void
}) {
  const { device, createdAt, lastSeenAt, isCurrent } = session
  return (
    <li>
      <div>
        <p className="session-device">
          {device}
          {isCurrent ? <Badge>This device</Badge> : null}
        </p>
        <p className="session-times">
          <span>
            Signed in{' '}
            <time dateTime={createdAt} title={timeInWords(createdAt)}>
              {dayInWords(createdAt)}
            </time>
          </span>
          <span>
            Last seen{' '}
            <time dateTime={lastSeenAt} title={timeInWords(lastSeenAt)}>
              {agoInWords(lastSeenAt, now)}
            </time>
          </span>
        </p>
      </div>
      <button type="button" className="button button-quiet" aria-disabled={isEnding} onClick={onEnd}>
        {isEnding ? 'Ending...' : isCurrent ? 'End this session' : 'End session'}
        {isCurrent ? null : (
          <span className="sr-only">{` of ${device}, last seen ${agoInWords(lastSeenAt, now)}`}</span>
        )}
      </button>
    </li>
  )
}

/** @param remove takes the sessions that have ended off the list */
function useEnding(remove: (isEnded: (session: SessionForMember) => boolean) => void) {
  return useApiMutation({
    mutationFn: async (what: Ending) => {
      const path = what === 'others' ? sessionsPath : `${sessionsPath}/${what.id}`
      try {
        await request(path, noAnswer, { method: 'DELETE' })
      } catch (error) {
        // A session that has ended already is as good as ended.
        if (!(error instanceof ApiError && error.status === 404)) throw error
      }
    },
    onSuccess: (_answer, what) => remove((session) => isMeant(session, what) && !session.isCurrent),
  })
}

function isMeant(session: SessionForMember, what: Ending | undefined): boolean {
  if (what === undefined) return false
  return what === 'others' ? !session.isCurrent : session.id === what.id
}

function endedInWords(what: Ending | undefined): string {
  return what === undefined || what === 'others'
    ? 'All other sessions have ended.'
    : `The session of ${what.device} has ended.`
}
