import { useState } from 'react'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { request } from '../../../../browser/api-client.ts'
import { MessageAnswer } from '../../../../http/message-schema.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import type { Person } from '../people-schema.ts'
import { type PersonPageProps, personPath } from '../person-page.ts'
import { GivenText } from '../../../office/parts/given-text.tsx'
import { RolesOfPerson } from './roles-of-person.tsx'

type Asked = 'reset' | 'make' | 'withdraw' | 'name-officer' | 'withdraw-officer'

/** The account: whether they can sign in, and whether they administer the site. */
export function PersonRole({ person, onChanged }: PersonPageProps) {
  const [asked, setAsked] = useState<Asked>()
  const [done, setDone] = useState<string>()
  const { isAdmin, isSafetyOfficer, hasPassword, canChangeMark } = person
  return (
    <WorkSection title="Account">
      <p>
        {isAdmin ? <RolesOfPerson isAdmin={isAdmin} isSafetyOfficer={isSafetyOfficer} /> : 'Member.'}{' '}
        {passwordInWords(person)}
      </p>
      <div className="person-actions">
        <Opener onOpen={() => setAsked('reset')}>
          {hasPassword ? 'Send a reset link' : 'Send the invitation again'}
        </Opener>
        {isAdmin && (canChangeMark || !isSafetyOfficer) ? (
          <Opener onOpen={() => setAsked('withdraw')}>Take the administrator role away</Opener>
        ) : null}
        {isAdmin && !isSafetyOfficer && canChangeMark ? (
          <Opener onOpen={() => setAsked('name-officer')}>Name as safety officer</Opener>
        ) : null}
        {isSafetyOfficer && canChangeMark ? (
          <Opener onOpen={() => setAsked('withdraw-officer')}>Stop being a safety officer</Opener>
        ) : null}
        {!isAdmin && hasPassword ? <Opener onOpen={() => setAsked('make')}>Make an administrator</Opener> : null}
      </div>
      {isSafetyOfficer && !canChangeMark ? (
        <p>
          Only a safety officer can give up their mark, their role and their account. The operator takes the mark for
          them with{' '}
          <code>
            admin safety-officer <GivenText>{person.email}</GivenText> --remove
          </code>
          .
        </p>
      ) : null}
      <Announced>{done === undefined ? null : <Notice tone="done">{done}</Notice>}</Announced>
      {asked === undefined ? null : (
        <AskDialog
          asked={asked}
          person={person}
          onDone={(message) => {
            setAsked(undefined)
            setDone(message)
            onChanged()
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </WorkSection>
  )
}

function passwordInWords({ hasPassword, passwordChangedAt, isInvitationWaiting }: Person): string {
  if (hasPassword && passwordChangedAt !== null) return `Their password was set on ${dayInWords(passwordChangedAt)}.`
  return isInvitationWaiting
    ? 'They were imported and have no password yet. Their invitation waits to be sent.'
    : 'They were imported and have no password yet. They can sign in once they have set one.'
}

function Opener({ onOpen, children }: { onOpen: () => void; children: string }) {
  return (
    <button type="button" className="button" aria-haspopup="dialog" onClick={onOpen}>
      {children}
    </button>
  )
}

const calls = {
  reset: { path: 'reset-link', method: 'POST', title: 'Send a link', label: 'Send', labelWhileSending: 'Sending...' },
  make: {
    path: 'administrator',
    method: 'POST',
    title: 'Make an administrator',
    label: 'Make an administrator',
    labelWhileSending: 'Working...',
  },
  withdraw: {
    path: 'administrator',
    method: 'DELETE',
    title: 'Take the administrator role away',
    label: 'Take the role away',
    labelWhileSending: 'Working...',
  },
  'name-officer': {
    path: 'safety-officer',
    method: 'POST',
    title: 'Name as safety officer',
    label: 'Name as safety officer',
    labelWhileSending: 'Working...',
  },
  'withdraw-officer': {
    path: 'safety-officer',
    method: 'DELETE',
    title: 'Stop being a safety officer',
    label: 'Stop being a safety officer',
    labelWhileSending: 'Working...',
  },
} as const

function AskDialog({
  asked,
  person,
  onDone,
  onClose,
}: {
  asked: Asked
  person: Person
  onDone: (message: string) => void
  onClose: () => void
}) {
  const { path, method, title, label, labelWhileSending } = calls[asked]
  const who = (
    <>
      <GivenText>{person.name}</GivenText> (<GivenText>{person.email}</GivenText>)
    </>
  )
  return (
    <ConfirmDialog
      title={title}
      label={label}
      labelWhileSending={labelWhileSending}
      otherwise="An error occurred. Please try again."
      act={async () => {
        const { message } = await request(`${personPath(person.id)}/${path}`, MessageAnswer, { method })
        onDone(message)
      }}
      onClose={onClose}
    >
      {asked === 'reset' ? (
        <p>
          {who} gets an email with a link to set a {person.hasPassword ? 'new ' : ''}password.
          {person.hasPassword ? ' Their present password works until they use it.' : ''} Another one can be sent after
          10 minutes.
        </p>
      ) : null}
      {asked === 'make' ? (
        <>
          <p>{who} will see everything that you see, and may do everything that you may do.</p>
          <p>
            They are signed out everywhere. They and every administrator are told by email. If their password is too
            weak for an administrator, they have to set another one before they sign in again.
          </p>
        </>
      ) : null}
      {asked === 'withdraw' ? (
        <p>
          {who}{' '}
          {person.isSelf
            ? 'is you: you leave the administration at once'
            : 'stays a member, and leaves the administration at once'}
          . {person.isSelf ? 'You' : 'They'} and every administrator are told by email.
          {person.isSafetyOfficer ? ' The mark of a safety officer goes with the role.' : ''}
        </p>
      ) : null}
      {asked === 'name-officer' ? (
        <>
          <p>
            {who} will see notices about children and decide them. Nobody but safety officers sees these, and to keep an
            entry that one of them names takes two.
          </p>
          <p>
            Each is to be looked at within 4 hours, also at night and on holidays. They and every administrator are told
            by email.
          </p>
        </>
      ) : null}
      {asked === 'withdraw-officer' ? (
        <p>
          {who} is you: you stay an administrator, and see no notices about children any more. You and every
          administrator are told by email. While there are administrators, one of them is a safety officer: the last one
          keeps the mark until another is named.
        </p>
      ) : null}
    </ConfirmDialog>
  )
}
