import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { ButtonLink, TextLink } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { StatePage } from '../../../../ui/state-page.tsx'
import { useSession } from '../../../../browser/session-store.ts'
import type { TicketState } from '../../gateway/open-ticket.server.ts'
import { languageOf } from '../list/language-of.ts'
import { inSeconds, secondsUntil } from './seconds.ts'
import './waiting-room.css'

type Open = Extract<TicketState, { kind: 'waiting' | 'unopened' }>
type Over = Exclude<TicketState, Open>

/**
 * Between an item and its download: what it leads to, the wait, and one button. Without scripts the button can be pressed
 * at any time, and the server says how long it is too early.
 */
export function WaitingRoom({
  ticket,
  state,
  waitSeconds,
  isEarly,
}: {
  ticket: string
  state: Open
  waitSeconds: number
  isEarly: boolean
}) {
  const { name, path, place } = state.target
  const address = `/go/${ticket}`
  return (
    <div className="column">
      <article className="wait">
        <p className="wait-back">
          <Link className="button button-quiet" to={path}>
            <Icon name="back" size={16} />
            Back to the entry
          </Link>
        </p>
        <header className="wait-head">
          <p className="wait-kicker">Your download</p>
          <h1 lang={languageOf(name)} dir="auto" data-long={name.length > 80 || undefined}>
            {name}
          </h1>
          <p className="wait-target">
            From {place.label}
            {place.label === place.site ? null : <span className="wait-site">{` (${place.site})`}</span>}
          </p>
        </header>
        {state.kind === 'unopened' ? (
          <div className="wait-panel">
            <p role="status">
              {`The wait of ${inSeconds(waitSeconds)} has not begun: it begins when this page is opened.`}
            </p>
            <a className="button button-solid wait-go" href={address}>
              Begin the wait
            </a>
          </div>
        ) : (
          // Another ticket, or another answer about this one, starts the countdown anew.
          <WaitForm
            key={`${ticket} ${state.secondsLeft}`}
            {...{ address, isEarly }}
            label={place.label}
            seconds={state.secondsLeft}
          />
        )}
        <VipOffer />
      </article>
    </div>
  )
}

function WaitForm({
  address,
  label,
  seconds,
  isEarly,
}: {
  address: string
  label: string
  seconds: number
  isEarly: boolean
}) {
  const left = useCountdown(seconds)
  const isWaiting = left !== undefined && left > 0
  const words =
    left === 0 || seconds === 0
      ? 'The wait is over.'
      : isEarly
        ? `That was too early. Please wait ${inSeconds(left ?? seconds)}, then press the button again.`
        : `Wait ${inSeconds(left ?? seconds)}, then press the button.`
  return (
    <form className="wait-panel" method="post" action={address}>
      {/* Read out when it appears and when it is over, and not at every second. */}
      <p role={left === 0 || isEarly ? 'status' : undefined}>{words}</p>
      <button type="submit" className="button button-solid wait-go" disabled={isWaiting}>
        {isWaiting ? `Continue in ${left} s` : `Continue to ${label}`}
      </button>
    </form>
  )
}

/**
 * The seconds that are left, once the page is alive; undefined before, and without scripts. They are counted from the
 * server's answer, not from the loading of the scripts.
 */
function useCountdown(seconds: number): number | undefined {
  const [left, setLeft] = useState<number>()
  useEffect(() => {
    const tick = (): void => setLeft(secondsUntil(seconds, performance))
    tick()
    const timer = setInterval(tick, 200)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}

/** The benefit of a membership here. Members who have one do not see it. */
function VipOffer() {
  const { session, access } = useSession()
  if (access.isVip || access.isAdmin) return null
  const isOffered = session === undefined || access.state !== 'known' ? '' : ' is-offered'
  return (
    <aside className={`wait-offer accent-vip${isOffered}`} aria-labelledby="become-vip">
      <h2 id="become-vip">VIP members skip this page</h2>
      <p>Their downloads are direct links, with no waiting.</p>
      <TextLink to="/plans">Become VIP</TextLink>
    </aside>
  )
}

export function TicketOver({ state }: { state: Over }) {
  const { title, sentence } = endTexts[state.kind]
  return (
    <div className="column">
      <StatePage
        drawing="shut"
        title={title}
        steps={
          state.target === undefined ? (
            <ButtonLink look="solid" label="Back to Homepage" to="/" />
          ) : (
            <ButtonLink look="solid" label="Back to the entry" to={state.target.path} />
          )
        }
      >
        <p>{sentence}</p>
      </StatePage>
    </div>
  )
}

const endTexts: Record<Over['kind'], { title: string; sentence: string }> = {
  expired: {
    title: 'This download link has expired',
    sentence: 'A link works for 30 minutes. Open the entry for a new one.',
  },
  served: {
    title: 'This download link has been used',
    sentence: 'A link works once. Open the entry for a new one.',
  },
  gone: {
    title: 'This download is no longer offered',
    sentence: 'The entry or this link was removed after you opened it.',
  },
}
