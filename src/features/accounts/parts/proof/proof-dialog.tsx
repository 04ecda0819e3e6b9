import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { callApi, NetworkError, request } from '../../../../browser/api-client.ts'
import { answerQuestion, type ProofQuestion } from '../../../../browser/proof.ts'
import { useSession } from '../../../../browser/session-store.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { PasswordField } from '../../../../ui/text-field.tsx'
import { type FactorKind, PasskeyOptions, ProofAndFactors } from '../../factors/factor-schema.ts'
import { DialogForm } from '../../../office/parts/dialog-form.tsx'
import { checkCode, CodeField } from '../factors/code-field.tsx'
import { OtherWays, type Way } from '../factors/other-ways.tsx'
import { passkeyObstacle } from '../factors/passkey-obstacle.ts'
import { askForPasskey } from '../factors/passkey-prompt.ts'
import {
  networkRefusal,
  type Refusal,
  refusalIn,
  refusalOf,
  textOf,
  useSubmission,
} from '../../../office/parts/use-submission.ts'

const leads: Readonly<Record<Way, string>> = {
  password: 'For your security, enter your password again to continue. Nothing that you have typed is lost.',
  passkey: 'Your browser will ask for your passkey. Nothing that you have typed is lost.',
  totp: 'Enter the code of your authenticator app to go on; nothing that you have typed is lost.',
  recovery: 'Enter one of your recovery codes to go on; nothing that you have typed is lost.',
}

/**
 * Asks for the current password, or for a second factor of whoever has one, so that what was begun can go on
 * (docs/spec/accounts.md#proof). It is over when the question is answered, and the call behind it is made again.
 */
export function ProofDialog({ question }: { question: ProofQuestion }) {
  const { session } = useSession()
  const [way, setWay] = useState<Way>('password')
  const factors = useFactors(question.token)
  const frame = useRef<HTMLDivElement>(null)

  const prove = async (shown: Record<string, unknown>): Promise<Refusal | undefined> => {
    const reply = await callApi('/auth/proof', {
      method: 'POST',
      token: question.token,
      body: shown,
    })
    if (!reply.ok) return refusalOf(reply, failures[way])
    answerQuestion(question, true)
    return undefined
  }
  const submission = useSubmission({
    check(values) {
      if (way === 'passkey') return undefined
      if (way !== 'password') return checkCode(way, textOf(values, 'code'))
      return textOf(values, 'password') === '' ? { field: 'password', message: 'Password is required' } : undefined
    },
    async send(values) {
      if (way === 'password') return prove({ password: textOf(values, 'password') })
      if (way !== 'passkey') return prove({ code: textOf(values, 'code').trim() })
      const prompted = await promptFor(question.token)
      return 'response' in prompted ? prove({ passkey: prompted.response }) : prompted
    },
    unreachable: networkRefusal,
  })
  const { isSending, errorOf } = submission
  const cancel = (): void => answerQuestion(question, false)
  const choose = (next: Way): void => {
    flushSync(() => {
      setWay(next)
      submission.clear()
    })
    // The click is the one that a browser wants before it asks for a passkey.
    if (next === 'passkey') frame.current?.querySelector('form')?.requestSubmit()
  }

  return (
    <Dialog title="Confirm it's you" isBusy={isSending} onClose={cancel}>
      <p className="dialog-lead">{leads[way]}</p>
      <div ref={frame} className="dialog-part">
        <DialogForm
          submission={submission}
          label={way === 'passkey' ? 'Use your passkey' : 'Confirm'}
          labelWhileSending={way === 'passkey' ? 'Waiting for your passkey...' : 'Confirming...'}
          done={undefined}
          onCancel={cancel}
        >
          {/* Tells a password manager whose password this is. */}
          <input type="text" name="username" autoComplete="username" value={session?.email ?? ''} readOnly hidden />
          {way === 'password' ? (
            <PasswordField
              label="Current password"
              name="password"
              autoComplete="current-password"
              required
              problem={errorOf('password')}
            />
          ) : null}
          {way === 'totp' || way === 'recovery' ? (
            <CodeField key={way} kind={way} takesFocus problem={errorOf('code')} />
          ) : null}
        </DialogForm>
        <OtherWays ways={otherWays(factors, way)} isBusy={isSending} onChoose={choose} />
      </div>
    </Dialog>
  )
}

const failures: Readonly<Record<Way, string>> = {
  password: 'Your password could not be checked. Please try again.',
  passkey: 'Your passkey could not be checked. Please try again.',
  totp: 'Your code could not be checked. Please try again.',
  recovery: 'Your code could not be checked. Please try again.',
}

/** Recovery codes are for who has lost the rest: they stand behind the code of the app alone. */
function otherWays(factors: readonly FactorKind[], way: Way): Way[] {
  const hasTotp = factors.includes('totp')
  return [
    ...(way === 'password' ? [] : (['password'] as const)),
    ...(factors.includes('passkey') && way !== 'passkey' && passkeyObstacle() === undefined
      ? (['passkey'] as const)
      : []),
    ...(hasTotp && way !== 'totp' ? (['totp'] as const) : []),
    ...(factors.includes('recovery') && way === 'totp' ? (['recovery'] as const) : []),
  ]
}

/** Has the browser ask for a passkey. @returns what it has signed, or why there is nothing */
async function promptFor(token: string): Promise<{ response: Record<string, unknown> } | Refusal> {
  let options: PasskeyOptions
  try {
    options = await request('/auth/proof/options', PasskeyOptions, { method: 'POST', token })
  } catch (error) {
    return refusalIn(error, failures.passkey)
  }
  const prompted = await askForPasskey(options.options)
  return 'problem' in prompted ? { message: prompted.problem } : prompted
}

/** The member's second factors; empty until they are loaded. */
function useFactors(token: string): readonly FactorKind[] {
  const [factors, setFactors] = useState<readonly FactorKind[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    const read = async (): Promise<void> => {
      try {
        const { data } = await callApi('/auth/proof', { token, signal: leaving.signal })
        const known = ProofAndFactors.safeParse(data)
        if (known.success && !leaving.signal.aborted) setFactors(known.data.factors)
      } catch (error) {
        // Without an answer the password is what is asked for.
        if (!(error instanceof NetworkError)) throw error
      }
    }
    void read()
    return () => leaving.abort()
  }, [token])
  return factors
}
