import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { type ApiError, noAnswer, request } from '../../../browser/api-client.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import type { AccountPageProps } from './account-page.ts'
import { useSettingsDialogs } from './settings-dialogs.tsx'
import { AccountPart } from './settings-section.tsx'

/** The address of the account: whether it is confirmed, and which other one is waited for. */
export function EmailSection({ profile, onStale }: Pick<AccountPageProps<unknown>, 'profile' | 'onStale'>) {
  const { email, isEmailConfirmed, requestedEmail } = profile
  const { open } = useSettingsDialogs()
  const [announced, setAnnounced] = useState<{ tone: 'done' | 'failed'; message: string }>()
  const onError = (error: ApiError): void => setAnnounced({ tone: 'failed', message: error.sentence ?? error.message })
  const confirmation = useApiMutation({
    mutationFn: () => request('/auth/address/confirmation', MessageAnswer, { method: 'POST' }),
    onSuccess: ({ message }) => {
      setAnnounced({ tone: 'done', message })
      onStale()
    },
    onError,
  })
  const drop = useApiMutation({
    mutationFn: () => request('/auth/address', noAnswer, { method: 'DELETE' }),
    onSuccess: () => {
      setAnnounced({ tone: 'done', message: `Your address stays ${email}.` })
      onStale()
    },
    onError,
  })
  return (
    <AccountPart title="Email Address">
      <EmailStopNotice profile={profile} onStale={onStale} onAnswer={setAnnounced} />
      {isEmailConfirmed ? (
        <p>Your address is confirmed.</p>
      ) : (
        <p>
          Your address is not confirmed yet. Use the link in the email we sent you. Until then, we only send emails
          about your security, your payments and what you ask for. No email? Check your spam folder, or have another
          link sent.
        </p>
      )}
      {requestedEmail === null ? null : (
        <p>
          You asked for <bdi>{requestedEmail}</bdi> instead. The address changes once you use the link we sent there,
          within 24 hours.
        </p>
      )}
      <div className="button-row account-steps">
        {isEmailConfirmed ? null : (
          <Button
            label={confirmation.isPending ? 'Sending...' : 'Send another link'}
            isBusy={confirmation.isPending}
            onClick={() => confirmation.mutate(undefined)}
          />
        )}
        <Button label="Change Email Address" aria-haspopup="dialog" onClick={() => open('email')} />
        {requestedEmail === null ? null : (
          <Button
            label={drop.isPending ? 'Keeping...' : 'Keep the present address'}
            isBusy={drop.isPending}
            onClick={() => drop.mutate(undefined)}
          />
        )}
      </div>
      <Announced>
        {announced === undefined ? null : (
          <Notice tone={announced.tone}>
            <p>{announced.message}</p>
          </Notice>
        )}
      </Announced>
    </AccountPart>
  )
}

const words = {
  bounce: {
    sentence:
      'Emails to your address came back, so we send none there but links to set a password. Change the address, or have us try it again.',
    label: 'Try this address again',
  },
  complaint: {
    sentence:
      'One of our emails was reported as spam from your mailbox, so we send you no news. Emails about your security, your payments and what you ask for still come.',
    label: 'Send me news again',
  },
}

/** Says that emails to the address are stopped, and lets its member end that. */
function EmailStopNotice({
  profile: { email, emailStop },
  onStale,
  onAnswer,
}: Pick<AccountPageProps<unknown>, 'profile' | 'onStale'> & {
  onAnswer: (answer: { tone: 'done' | 'failed'; message: string }) => void
}) {
  const resume = useApiMutation({
    mutationFn: () => request('/account/email-stop', noAnswer, { method: 'DELETE' }),
    onSuccess: () => {
      onAnswer({ tone: 'done', message: `Emails go to ${email} again.` })
      onStale()
    },
    onError: (error: ApiError) => onAnswer({ tone: 'failed', message: error.sentence ?? error.message }),
  })
  if (emailStop === null) return null
  const { sentence, label } = words[emailStop]
  return (
    <Notice tone="failed">
      <p>{sentence}</p>
      <Button
        label={resume.isPending ? 'Saving...' : label}
        isBusy={resume.isPending}
        onClick={() => resume.mutate(undefined)}
      />
    </Notice>
  )
}
