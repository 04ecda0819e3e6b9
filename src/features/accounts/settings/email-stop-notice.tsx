import { Button } from '../../../ui/button.tsx'
import { type ApiError, noAnswer, request } from '../../../browser/api-client.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { Notice } from '../../../ui/notice.tsx'
import type { AccountPageProps } from './account-page.ts'

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
export function EmailStopNotice({
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
