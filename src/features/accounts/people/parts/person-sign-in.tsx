import { useState } from 'react'
import { Button, TextLink } from '../../../../ui/button.tsx'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import type { PersonPageProps } from '../person-page.ts'
import { lastEmailInWords, signInInWords } from '../sign-in-in-words.ts'
import { HelpDialog } from './help-dialog.tsx'
import { RemoveFactorsDialog } from './person-factors.tsx'

type Act = 'unlock' | 'link' | 'remove-factors'

/** Whether a member can sign in and why, how it went lately, and the next step that helps them. */
export function PersonSignIn({ person, now, onChanged }: PersonPageProps) {
  const [asked, setAsked] = useState<Act>()
  const [done, setDone] = useState<string>()
  const { hasPassword, passwordChangedAt, signIn } = person
  const { sentence, help } = signInInWords(person)
  const acts: [Act, string, boolean][] = [
    ...(help === 'unlock' ? [['unlock', 'Unlock sign-in', true] as [Act, string, boolean]] : []),
    ...(help === 'remove-factors' ? [[help, 'Remove two-step sign-in', true] as [Act, string, boolean]] : []),
    ['link', hasPassword ? 'Send a reset link' : 'Send the invitation again', help === 'reset' || help === 'invite'],
  ]
  const close = (message?: string): void => {
    setAsked(undefined)
    if (message === undefined) return
    setDone(message)
    onChanged()
  }
  return (
    <WorkSection title="Sign-in">
      <p className="person-standing">{sentence}</p>
      <div className="button-row">
        {acts.map(([act, label, isNext]) => (
          <Button
            key={act}
            look={isNext ? 'solid' : 'plain'}
            label={label}
            aria-haspopup="dialog"
            onClick={() => setAsked(act)}
          />
        ))}
      </div>
      <Announced>{done === undefined ? null : <Notice tone="done">{done}</Notice>}</Announced>
      <dl className="person-facts">
        <div>
          <dt>Recent attempts</dt>
          <dd>
            {signIn.tries.length === 0
              ? 'None in the audit log.'
              : signIn.tries.map(({ action, words, at, times }) => (
                  <span key={`${at} ${action}`}>
                    {words}
                    {times > 1 ? ` (${times.toLocaleString('en-US')} times)` : ''}, <Moment at={at} now={now} />
                  </span>
                ))}
          </dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>
            {signIn.confirmedAt === null
              ? 'Not confirmed yet. Using a reset link confirms it.'
              : `Confirmed on ${dayInWords(signIn.confirmedAt)}.`}
          </dd>
        </div>
        {hasPassword && passwordChangedAt !== null ? (
          <div>
            <dt>Password</dt>
            <dd>Set on {dayInWords(passwordChangedAt)}.</dd>
          </div>
        ) : null}
        <div>
          <dt>Emails</dt>
          <dd>
            {lastEmailInWords(signIn, now)}{' '}
            <TextLink to={`/admin/emails?search=${encodeURIComponent(person.email)}`}>All of the last 30 days</TextLink>
          </dd>
        </div>
      </dl>
      {asked === 'remove-factors' ? (
        <RemoveFactorsDialog person={person} onDone={close} onClose={() => close()} />
      ) : asked === undefined ? null : (
        <HelpDialog act={asked} person={person} onDone={close} onClose={() => close()} />
      )}
    </WorkSection>
  )
}
