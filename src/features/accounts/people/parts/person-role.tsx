import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { request } from '../../../../browser/api-client.ts'
import { MessageAnswer } from '../../../../http/message-schema.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import type { Person } from '../people-schema.ts'
import { type PersonPageProps, personPath } from '../person-page.ts'
import { UserText } from '../../../office/parts/user-text.tsx'
import { RolesOfPerson } from './roles-of-person.tsx'

type Asked = 'make' | 'withdraw' | 'name-officer' | 'withdraw-officer'

export function PersonRole({ person, onChanged }: PersonPageProps) {
  const [asked, setAsked] = useState<Asked>()
  const [done, setDone] = useState<string>()
  const { isAdmin, isSafetyOfficer, hasPassword, canChangeMark } = person
  return (
    <WorkSection title="Role">
      <p>
        {isAdmin ? (
          <RolesOfPerson isAdmin={isAdmin} isSafetyOfficer={isSafetyOfficer} />
        ) : hasPassword ? (
          'Member.'
        ) : (
          'Member. They can be made an administrator once they have set a password.'
        )}
      </p>
      <div className="button-row">
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
            admin safety-officer <UserText>{person.email}</UserText> --remove
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

function Opener({ onOpen, children }: { onOpen: () => void; children: string }) {
  return <Button label={children} aria-haspopup="dialog" onClick={onOpen} />
}

interface Call {
  path: string
  method: 'POST' | 'DELETE'
  title: string
  /** By default the title. */
  label?: string
}

const calls: Record<Asked, Call> = {
  make: { path: 'administrator', method: 'POST', title: 'Make an administrator' },
  withdraw: {
    path: 'administrator',
    method: 'DELETE',
    title: 'Take the administrator role away',
    label: 'Take the role away',
  },
  'name-officer': { path: 'safety-officer', method: 'POST', title: 'Name as safety officer' },
  'withdraw-officer': { path: 'safety-officer', method: 'DELETE', title: 'Stop being a safety officer' },
}

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
  const { path, method, title, label = title } = calls[asked]
  const who = (
    <>
      <UserText>{person.name}</UserText> (<UserText>{person.email}</UserText>)
    </>
  )
  return (
    <ConfirmDialog
      title={title}
      label={label}
      labelWhileSending="Working..."
      otherwise="An error occurred. Please try again."
      act={async () => {
        const { message } = await request(`${personPath(person.id)}/${path}`, MessageAnswer, { method })
        onDone(message)
      }}
      onClose={onClose}
    >
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
            ? 'is you: you lose access to administration at once'
            : 'stays a member, but loses access to administration at once'}
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
