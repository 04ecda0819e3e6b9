import { type FormEvent, useState } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { useIsHydrated } from '../../../ui/use-is-hydrated.ts'
import { useSentOnce } from './use-sent-once.ts'

const notConfirmed = 'Check this box to withdraw your notice.'

const withdrawOffline =
  'You are offline, so your notice was not withdrawn. Press the button again once you are connected.'

/**
 * Takes a notice back. The browser itself sends it, with JavaScript and without; what goes wrong is told beside the button,
 * where the eye is, and the box stays checked.
 */
export function WithdrawForm({ reference, refusal }: { reference: string; refusal: string | undefined }) {
  const isHydrated = useIsHydrated()
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const { isSending, isBusy, send } = useSentOnce()

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    if (isBusy.current) return event.preventDefault()
    const box = event.currentTarget.elements.namedItem('sure')
    const isSure = box instanceof HTMLInputElement && box.checked
    const isOffline = !navigator.onLine
    setProblem(isSure ? undefined : notConfirmed)
    setFailure(isSure && isOffline ? withdrawOffline : undefined)
    if (isSure && !isOffline) {
      send()
      return
    }
    event.preventDefault()
    if (!isSure && box instanceof HTMLInputElement) box.focus()
  }

  const message = failure ?? (problem === undefined ? refusal : undefined)
  return (
    <form method="post" className="account-form" noValidate={isHydrated} onSubmit={submit}>
      <input type="hidden" name="act" value="withdraw" />
      <p>
        We stop working on it, and entries hidden only because of it come back. You cannot undo this, but you can send a
        new notice.
      </p>
      <Checkbox
        name="sure"
        required
        label="I want to withdraw this notice."
        problem={problem}
        onChange={() => setProblem(undefined)}
      />
      <Announced>{message === undefined ? null : <Notice tone="failed">{message}</Notice>}</Announced>
      <button type="submit" className="button" aria-disabled={isSending}>
        {isSending ? 'Withdrawing...' : `Withdraw notice ${reference}`}
      </button>
    </form>
  )
}
