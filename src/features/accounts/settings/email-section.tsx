import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { type ApiError, noAnswer, request } from '../../../browser/api-client.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import type { AccountPageProps } from './account-page.ts'
import { useSettingsDialogs } from './settings-dialogs.tsx'
import { EmailStopNotice } from './email-stop-notice.tsx'
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
