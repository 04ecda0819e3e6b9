import { fetches, useApiQuery } from '../../../browser/queries.ts'
import { SessionsForMember } from '../sessions/session-schema.ts'
import { RevocableList, type RevocableTexts } from './revocable-list.tsx'

const sessionsPath = '/auth/sessions'

const texts: RevocableTexts = {
  title: 'Sessions',
  intro: "Where you are signed in. End any session you don't recognize, then change your password.",
  failed: 'Your sessions could not be loaded.',
  none: 'You are not signed in anywhere.',
  since: 'Signed in',
  last: 'Last seen',
  end: 'End session',
  endCurrent: 'End this session',
  endOthers: 'End all other sessions',
  ending: 'Ending...',
  which: (device, ago) => ` of ${device}, last seen ${ago}`,
  ended: (device) => `The session of ${device} has ended.`,
  endedOthers: 'All other sessions have ended.',
}

/** The devices where the member is signed in; each session can be ended, and all others at once. */
export function SessionsList({ onSignOut }: { onSignOut: () => void }) {
  const query = useApiQuery(fetches(sessionsPath, SessionsForMember))
  return (
    <RevocableList
      path={sessionsPath}
      query={query}
      rows={query.data?.sessions.map((session) => ({ ...session, lastAt: session.lastSeenAt }))}
      texts={texts}
      onEnded={(isEnded) =>
        query.setData((known) => known && { sessions: known.sessions.filter((session) => !isEnded(session)) })
      }
      onEndCurrent={onSignOut}
    />
  )
}
