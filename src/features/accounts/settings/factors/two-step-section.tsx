import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { type ApiError, networkSentence, request } from '../../../../browser/api-client.ts'
import { agoInWords, dayInWords, timeInWords } from '../../../../browser/format-instant.ts'
import { fetches, refetchAnswers, useApiMutation, useApiQuery } from '../../../../browser/queries.ts'
import { counted } from '../../../../platform/counted.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { FactorsForMember, type PasskeyForMember, TotpSetup } from '../../factors/factor-schema.ts'
import { passkeyObstacle } from '../../parts/factors/passkey-obstacle.ts'
import { backToIn, twoStepId } from '../../parts/factors/two-step-link.ts'
import { SessionsForMember } from '../../sessions/session-schema.ts'
import type { AccountPageProps } from '../account-page.ts'
import { ListWaiting } from '../list-waiting.tsx'
import { AccountPart } from '../settings-section.tsx'
import { factorsPath, type OpenFactor, totpPath } from './open-factor.ts'
import { proposedPasskeyName } from './passkey-name.ts'
import { useFactorDialogs } from './use-factor-dialogs.ts'
import '../sessions-list.css'
import './two-step-section.css'

const sessionsPath = '/auth/sessions'
/** With as few left, one should make new ones. */
const fewCodes = 3

type Result = { tone: 'done' | 'failed'; message: string }

/** The second factors of a member: passkeys, an authenticator app, and codes for the loss of both. */
export function TwoStepSection({ profile, onStale }: AccountPageProps<unknown>) {
  const query = useApiQuery(fetches(factorsPath, FactorsForMember))
  const { data, answeredAt, isFetching, refetch } = query
  const heading = useRef<HTMLHeadingElement>(null)
  const { Dialog, load } = useFactorDialogs()
  const [open, setOpen] = useState<OpenFactor>()
  const [announced, setAnnounced] = useState<Result>()
  /** Whether they have come here because the administration asks for it. */
  const [wasNeeded] = useState(profile.needsSecondFactor)

  useArrival(heading, data !== undefined)

  /** Whether the button that opened the dialog goes with what has changed. */
  const isOpenerGone = useRef(false)
  useEffect(() => {
    if (open !== undefined || !isOpenerGone.current) return
    isOpenerGone.current = false
    heading.current?.focus()
  }, [open])

  const setUp = useApiMutation({
    mutationFn: () => request(totpPath, TotpSetup, { method: 'POST' }),
    onSuccess: (setup) => void show({ name: 'set-up-totp', setup }),
    onError: ({ sentence, message }: ApiError) => setAnnounced({ tone: 'failed', message: sentence ?? message }),
  })
  const show = async (next: OpenFactor): Promise<void> => {
    setAnnounced(undefined)
    if (await load()) setOpen(next)
    else setAnnounced({ tone: 'failed', message: networkSentence })
  }

  const count = data === undefined ? 0 : data.passkeys.length + (data.totp === null ? 0 : 1)
  /** The last factor of an administrator whom the site asks for one. */
  const isKept = data?.isRequired === true && count === 1
  return (
    <AccountPart title="Two-step sign-in" id={twoStepId} titleRef={heading}>
      {profile.needsSecondFactor ? (
        <p>Administrators of this site need two-step sign-in. Set it up to open the administration.</p>
      ) : null}
      <p>
        {data === undefined ? null : <strong>{count === 0 ? 'Off.' : 'On.'}</strong>}
        {data !== undefined && count === 0 ? ' Your password alone signs you in.' : null} A second step after your
        password: a passkey, or a code from an app on your phone. A stolen password is then not enough to sign in.
      </p>
      <ListWaiting query={query} sentence="Your two-step sign-in could not be loaded." heading={heading} />
      <Announced>
        {announced === undefined || open !== undefined ? null : (
          <ChangeNotice result={announced} mayGoOn={wasNeeded && count > 0} />
        )}
      </Announced>
      {data === undefined ? null : (
        <div className="factors">
          <Passkeys
            factors={data}
            now={answeredAt}
            isKept={isKept}
            onOpen={(next) => void show(next)}
            isLast={count === 1}
            isCounting={isFetching}
          />
          <AuthenticatorApp
            factor={data.totp}
            now={answeredAt}
            isKept={isKept}
            isPreparing={setUp.isPending}
            isCounting={isFetching}
            onSetUp={() => setUp.mutate()}
            onRemove={() => void show({ name: 'remove-totp', isLast: count === 1 })}
          />
          {count === 0 ? null : <Codes left={data.recoveryCodesLeft} onOpen={(next) => void show(next)} />}
        </div>
      )}
      {open === undefined || Dialog === undefined ? null : (
        <Dialog
          key={open.name}
          open={open}
          email={profile.email}
          onDone={(message, codes) => {
            isOpenerGone.current = ['set-up-totp', 'remove-totp', 'remove-passkey'].includes(open.name)
            setAnnounced({ tone: 'done', message })
            setOpen(codes === undefined ? undefined : { name: 'codes', ...codes })
            refetch()
            // A first factor has ended the other sessions, and may have opened the administration.
            refetchAnswers(sessionsPath)
            onStale()
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </AccountPart>
  )
}

/** The result of a change, and the way on for somebody who came because the administration asks for a second factor. */
function ChangeNotice({ result, mayGoOn }: { result: Result; mayGoOn: boolean }) {
  const location = useLocation()
  return (
    <Notice tone={result.tone}>
      <p>{result.message}</p>
      {result.tone === 'done' && mayGoOn ? (
        <p className="factor-go-on">
          <ButtonLink look="solid" label="Go on to the administration" to={backToIn(location.state) ?? '/admin'} />
        </p>
      ) : null}
    </Notice>
  )
}

/** A link that leads to this section finds it once it is loaded. */
function useArrival(heading: RefObject<HTMLHeadingElement | null>, isLoaded: boolean): void {
  const location = useLocation()
  useEffect(() => {
    if (location.hash !== `#${twoStepId}` || !isLoaded) return undefined
    // The browser looked for the place before it was there, and a page that is swapped in begins at its beginning.
    const timer = setTimeout(() => {
      heading.current?.scrollIntoView()
      heading.current?.focus({ preventScroll: true })
    })
    return () => clearTimeout(timer)
  }, [heading, location, isLoaded])
}

function AuthenticatorApp({
  factor,
  now,
  isKept,
  isPreparing,
  isCounting,
  onSetUp,
  onRemove,
}: {
  factor: FactorsForMember['totp']
  now: number
  isKept: boolean
  isPreparing: boolean
  isCounting: boolean
  onSetUp: () => void
  onRemove: () => void
}) {
  return (
    <section>
      {factor === null ? (
        <>
          <h3>Authenticator app</h3>
          <p>
            An app on your phone that shows a new six-digit code every 30 seconds, such as Google Authenticator,
            1Password or Aegis.
          </p>
        </>
      ) : (
        <ul className="sessions">
          <li>
            <div>
              <h3>Authenticator app</h3>
              <Times {...factor} now={now} />
              {isKept ? <OnlyOne /> : null}
            </div>
            {isKept ? null : (
              <Button
                look="quiet"
                label="Remove"
                about={' authenticator app'}
                aria-haspopup="dialog"
                isBusy={isCounting}
                onClick={onRemove}
              />
            )}
          </li>
        </ul>
      )}
      {factor === null ? (
        <div className="button-row account-steps">
          <Button
            label={isPreparing ? 'Preparing...' : 'Set up an authenticator app'}
            isBusy={isPreparing}
            aria-haspopup="dialog"
            onClick={onSetUp}
          />
        </div>
      ) : null}
    </section>
  )
}

function Passkeys({
  factors: { passkeys, passkeysPossible },
  now,
  isKept,
  isLast,
  isCounting,
  onOpen,
}: {
  factors: FactorsForMember
  now: number
  isKept: boolean
  isLast: boolean
  /** After a change the list is asked for anew: until it has come, nobody knows whether one is the last. */
  isCounting: boolean
  onOpen: (next: OpenFactor) => void
}) {
  // The server's name of this browser, from the same query as the list of sessions.
  const { data } = useApiQuery(fetches(sessionsPath, SessionsForMember))
  const device = data?.sessions.find(({ isCurrent }) => isCurrent)?.device
  const obstacle = passkeysPossible
    ? passkeyObstacle()
    : 'Passkeys need a site with a name, over https. Use an authenticator app here.'
  return (
    <section>
      <h3>Passkeys</h3>
      {passkeys.length === 0 && obstacle === undefined ? (
        <p>Your fingerprint, your face or a PIN on this device or your phone, or a security key. The safest way.</p>
      ) : null}
      {passkeys.length === 0 ? null : (
        <ul className="sessions">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <p className="session-device">
                  <bdi>{passkey.name}</bdi>
                </p>
                <Times {...passkey} now={now} />
                {isKept ? <OnlyOne /> : null}
              </div>
              <div className="factor-steps">
                <RowButton
                  passkey={passkey}
                  label="Rename"
                  onClick={() => onOpen({ name: 'rename-passkey', passkey })}
                />
                {isKept ? null : (
                  <RowButton
                    passkey={passkey}
                    label="Remove"
                    isBusy={isCounting}
                    onClick={() => onOpen({ name: 'remove-passkey', passkey, isLast })}
                  />
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {obstacle === undefined ? (
        <div className="button-row account-steps">
          <Button
            label={passkeys.length === 0 ? 'Add a passkey' : 'Add another passkey'}
            aria-haspopup="dialog"
            onClick={() => onOpen({ name: 'add-passkey', proposed: proposedPasskeyName(device, passkeys) })}
          />
        </div>
      ) : (
        <p>{obstacle}</p>
      )}
    </section>
  )
}

function RowButton({
  passkey,
  ...button
}: {
  passkey: PasskeyForMember
  label: string
  isBusy?: boolean
  onClick: () => void
}) {
  return <Button look="quiet" about={` ${passkey.name}`} aria-haspopup="dialog" {...button} />
}

function Times({ addedAt, lastUsedAt, now }: { addedAt: string; lastUsedAt: string | null; now: number }) {
  return (
    <p className="session-times">
      <span>
        Added{' '}
        <time dateTime={addedAt} title={timeInWords(addedAt)}>
          {dayInWords(addedAt)}
        </time>
      </span>
      {lastUsedAt === null ? (
        <span>Not used to sign in yet</span>
      ) : (
        <span>
          Last used{' '}
          <time dateTime={lastUsedAt} title={timeInWords(lastUsedAt)}>
            {agoInWords(lastUsedAt, now)}
          </time>
        </span>
      )}
    </p>
  )
}

function OnlyOne() {
  return <p>Your only second step. Add another before you remove it.</p>
}

function Codes({ left, onOpen }: { left: number; onOpen: (next: OpenFactor) => void }) {
  return (
    <section>
      <h3>Recovery codes</h3>
      {left > fewCodes ? (
        <p>{`${left} codes left. Each works once, if you lose your passkey or app.`}</p>
      ) : (
        <div className={left === 0 ? 'notice' : 'notice notice-calm'}>
          <p>
            {left === 0
              ? 'No recovery code is left. If you lose the rest, you cannot sign in. Make new ones.'
              : `Only ${counted(left, 'recovery code')} ${left === 1 ? 'is' : 'are'} left. Make new ones before you need them.`}
          </p>
        </div>
      )}
      <div className="button-row account-steps">
        <Button
          label="Make new recovery codes"
          aria-haspopup="dialog"
          onClick={() => onOpen({ name: 'renew-codes' })}
        />
      </div>
    </section>
  )
}
