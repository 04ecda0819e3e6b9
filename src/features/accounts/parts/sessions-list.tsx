import { useCallback, useEffect, useRef, useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { callApi, NetworkError, type Reply, sentenceOf } from '../call-api.ts'
import { agoInWords, dayInWords, timeInWords } from '../instant-words.ts'
import type { SessionForMember } from '../list-sessions.server.ts'
import { AccountPart } from './account-part.tsx'
import { networkRefusal } from './use-submission.ts'
import './sessions-list.css'

interface Told {
  tone: 'done' | 'failed'
  sentence: string
}

/**
 * Where the member is signed in; each of it can be ended, and all but this one at once.
 * @param edition another one means that the list has changed on the server, and is asked for anew
 */
export function SessionsList({ edition, onSignOut }: { edition: number; onSignOut: () => void }) {
  const [sessions, setSessions] = useState<SessionForMember[]>()
  const [askedAt, setAskedAt] = useState(0)
  const [attempt, setAttempt] = useState(0)
  const [failedQuestion, setFailedQuestion] = useState<string>()
  /** The session that is being ended, or all others. */
  const [ending, setEnding] = useState<string>()
  const [told, setTold] = useState<Told>()
  const heading = useRef<HTMLHeadingElement>(null)

  const question = `${edition} ${attempt}`
  const hasFailed = failedQuestion === question

  useEffect(() => {
    const overtaken = new AbortController()
    const ask = async (): Promise<void> => {
      const found = await read(overtaken.signal)
      if (overtaken.signal.aborted) return
      if (found === undefined) {
        setFailedQuestion(question)
        return
      }
      setAskedAt(Date.now())
      setSessions(found)
    }
    void ask()
    return () => overtaken.abort()
  }, [question])

  const end = useCallback(
    async (what: string, path: string, isEnded: (session: SessionForMember) => boolean, sentence: string) => {
      setEnding(what)
      setTold(undefined)
      const failure = await request(path)
      setEnding(undefined)
      if (failure !== undefined) {
        setTold({ tone: 'failed', sentence: failure })
        return
      }
      setSessions((known) => known?.filter((session) => !isEnded(session)))
      setTold({ tone: 'done', sentence })
      // The button that was pressed is gone.
      heading.current?.focus()
    },
    [],
  )

  const others = sessions?.filter(({ isCurrent }) => !isCurrent).length ?? 0
  return (
    <AccountPart title="Sessions" titleRef={heading}>
      <p>Where you are signed in. End what you do not know, then change your password.</p>
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
              setAttempt((attempts) => attempts + 1)
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
              now={askedAt}
              isEnding={ending === session.id}
              onEnd={() => {
                if (session.isCurrent) onSignOut()
                else if (ending === undefined)
                  void end(
                    session.id,
                    `/auth/sessions/${session.id}`,
                    ({ id }) => id === session.id,
                    `The session of ${session.device} has ended.`,
                  )
              }}
            />
          ))}
        </ul>
      )}
      <Announced>{told === undefined ? null : <Notice tone={told.tone}>{told.sentence}</Notice>}</Announced>
      {others === 0 ? null : (
        <div className="account-steps">
          <button
            type="button"
            className="button"
            aria-disabled={ending !== undefined}
            onClick={() => {
              if (ending === undefined)
                void end('others', '/auth/sessions', ({ isCurrent }) => !isCurrent, 'All other sessions have ended.')
            }}
          >
            {ending === 'others' ? 'Ending...' : 'End all other sessions'}
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

/** @returns undefined when the list could not be had */
async function read(signal: AbortSignal): Promise<SessionForMember[] | undefined> {
  const reply = await answered(callApi('/auth/sessions', { signal }))
  const list = reply?.ok === true ? (reply.data as { sessions?: SessionForMember[] } | undefined)?.sessions : undefined
  return Array.isArray(list) ? list : undefined
}

/** @returns why it was not ended; what has ended already is as good as ended */
async function request(path: string): Promise<string | undefined> {
  const reply = await answered(callApi(path, { method: 'DELETE' }))
  if (reply === undefined) return networkRefusal.message
  if (reply.ok || reply.status === 404) return undefined
  return sentenceOf(reply) ?? 'An error occurred. Please try again.'
}

/** @returns undefined when no answer came */
async function answered(call: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}
