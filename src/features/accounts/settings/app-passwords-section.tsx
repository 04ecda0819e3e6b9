import { useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ApiError, noAnswer, request } from '../../../browser/api-client.ts'
import { dayInWords } from '../../../browser/format-instant.ts'
import { Moment } from '../../../browser/moment.tsx'
import { fetches, useApiMutation, useApiQuery } from '../../../browser/queries.ts'
import { ActDialog } from '../../../ui/act-dialog.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useApiForm } from '../../office/browser/api-form.ts'
import { type AppPassword, AppPasswords, NewAppPassword } from '../app-passwords/app-password-schema.ts'
import type { AccountPageProps } from './account-page.ts'
import { CopyButton } from './factors/copy-button.tsx'
import { maxPasskeyNameLength as maxNameLength, PasskeyName as NameOfOne } from './factors/passkey-name.ts'
import { ListWaiting } from './list-waiting.tsx'
import { AccountPart } from './settings-section.tsx'
import './factors/factors.css'
import './sessions-list.css'
import './app-passwords-section.css'

const path = '/account/app-passwords'

/** The section is drawn once the account is loaded, in the browser alone. */
const catalogueAt = (version: '' | '/v2'): string => `${window.location.origin}/opds${version}`

/** The passwords of reading programs: each is shown once, and can be ended. */
export function AppPasswordsSection({ profile }: Pick<AccountPageProps<unknown>, 'profile'>) {
  const query = useApiQuery(fetches(path, AppPasswords))
  const { data, answeredAt, refetch, setData } = query
  const heading = useRef<HTMLHeadingElement>(null)
  const [isNaming, setIsNaming] = useState(false)
  const [made, setMade] = useState<NewAppPassword>()
  const end = useApiMutation({
    mutationFn: async ({ id }: AppPassword) => {
      try {
        await request(`${path}/${id}`, noAnswer, { method: 'DELETE' })
      } catch (failure) {
        // One that has ended is as good as ended now.
        if (!(failure instanceof ApiError && failure.status === 404)) throw failure
      }
    },
    onSuccess: (_answer, { id }) => {
      setData((known) => known?.filter((each) => each.id !== id))
      setMade((shown) => (shown?.id === id ? undefined : shown))
      heading.current?.focus()
    },
  })

  return (
    <AccountPart title="App Passwords" titleRef={heading}>
      <p>
        For reading programs such as KOReader or Thorium: each gets a password of its own, which opens the catalogue of
        this library there and nothing else. Your own password does not work in them.
      </p>
      <p>
        The address of the catalogue is <code>{catalogueAt('')}</code>, or <code>{catalogueAt('/v2')}</code> for
        programs that know OPDS 2.0. Without a password they show the free entries.
      </p>
      <ListWaiting query={query} sentence="Your app passwords could not be loaded." heading={heading} />
      {made === undefined ? null : (
        <Made
          made={made}
          email={profile.email}
          onDone={() => {
            setMade(undefined)
            heading.current?.focus()
          }}
        />
      )}
      {data === undefined || data.length === 0 ? null : (
        <ul className="sessions">
          {data.map((each) => (
            <Row
              key={each.id}
              row={each}
              now={answeredAt}
              isEnding={end.isPending && end.variables.id === each.id}
              onEnd={() => {
                if (!end.isPending) end.mutate(each)
              }}
            />
          ))}
        </ul>
      )}
      <Announced>
        {end.error === null ? null : <Notice tone="failed">{end.error.message}</Notice>}
        {end.isSuccess ? <Notice tone="done">“{end.variables.name}” no longer works.</Notice> : null}
        {made !== undefined && end.isIdle ? (
          <Notice tone="done">The app password “{made.name}” was created.</Notice>
        ) : null}
      </Announced>
      {data === undefined ? null : (
        <div className="button-row account-steps">
          <Button label="New App Password" aria-haspopup="dialog" onClick={() => setIsNaming(true)} />
        </div>
      )}
      {isNaming ? (
        <NamingDialog
          onMade={(next) => {
            end.reset()
            setMade(next)
            setIsNaming(false)
            refetch()
          }}
          onClose={() => setIsNaming(false)}
        />
      ) : null}
    </AccountPart>
  )
}

function NamingDialog({ onMade, onClose }: { onMade: (made: NewAppPassword) => void; onClose: () => void }) {
  const form = useApiForm({
    defaults: { name: '' },
    schema: NameOfOne,
    async send(body) {
      onMade(await request(path, NewAppPassword, { method: 'POST', body }))
    },
    otherwise: 'The app password could not be created. Please try again.',
  })
  return (
    <ActDialog
      title="New app password"
      form={form}
      label="Create password"
      labelWhileSending="Creating..."
      onClose={onClose}
    >
      <TextField
        {...form.field('name')}
        label="Name"
        help="The program or device it is for, such as KOReader."
        autoComplete="off"
        required
        maxLength={maxNameLength}
      />
    </ActDialog>
  )
}

/** Shown once: neither the site nor anybody else has the password any more. */
function Made({ made, email, onDone }: { made: NewAppPassword; email: string; onDone: () => void }) {
  const catalogue = catalogueAt('')
  return (
    <section className="app-password" aria-label={`The app password “${made.name}”`}>
      <p>
        Add a catalogue in your reading program and type these in. The password is shown <strong>only now</strong>.
      </p>
      <dl>
        <dt>Address</dt>
        <dd>
          <code>{catalogue}</code>
          <CopyButton text={catalogue} label="Copy address" />
        </dd>
        <dt>Address for OPDS 2.0</dt>
        <dd>
          <code>{catalogueAt('/v2')}</code>
        </dd>
        <dt>User name</dt>
        <dd>
          <code>{email}</code>
        </dd>
        <dt>Password</dt>
        <dd>
          <code>{made.password}</code>
          <CopyButton text={made.password} label="Copy password" />
        </dd>
      </dl>
      <Button look="quiet" label="I have typed it in" onClick={onDone} />
    </section>
  )
}

function Row({
  row: { name, createdAt, lastUsedAt },
  now,
  isEnding,
  onEnd,
}: {
  row: AppPassword
  now: number
  isEnding: boolean
  onEnd: () => void
}) {
  return (
    <li>
      <div>
        <p className="session-device">
          <bdi>{name}</bdi>
        </p>
        <p className="session-times">
          <span>
            Made <time dateTime={createdAt}>{dayInWords(createdAt)}</time>
          </span>
          <span>
            {lastUsedAt === null ? (
              'Not used yet'
            ) : (
              <>
                Last used <Moment at={lastUsedAt} now={now} isToTheHour />
              </>
            )}
          </span>
        </p>
      </div>
      <button type="button" className="button button-quiet" aria-disabled={isEnding} onClick={onEnd}>
        {isEnding ? 'Ending...' : 'End'}
        <span className="sr-only">: {name}</span>
      </button>
    </li>
  )
}
