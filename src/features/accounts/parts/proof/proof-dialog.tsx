import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { callApi, NetworkError, noAnswer, request } from '../../../../browser/api-client.ts'
import { answerQuestion, type ProofQuestion } from '../../../../browser/proof.ts'
import { useSession } from '../../../../browser/session-store.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { PasswordField } from '../../../../ui/text-field.tsx'
import { type FactorKind, PasskeyOptions, ProofAndFactors } from '../../factors/factor-schema.ts'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { checkCode, CodeField } from '../factors/code-field.tsx'
import { OtherWays, type Way } from '../factors/other-ways.tsx'
import { passkeyObstacle } from '../factors/passkey-obstacle.ts'
import { askForPasskey } from '../factors/passkey-prompt.ts'

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
  const part = useRef<HTMLDivElement>(null)
  const form = useApiForm({
    defaults: { password: '', code: '' },
    check({ password, code }) {
      if (way === 'passkey') return undefined
      if (way !== 'password') return checkCode(way, code)
      return password === '' ? { field: 'password', message: 'Password is required' } : undefined
    },
    async send({ password, code }, refuse) {
      const call = { method: 'POST', token: question.token } as const
      let body: Record<string, unknown> = way === 'password' ? { password } : { code: code.trim() }
      if (way === 'passkey') {
        const { options } = await request('/auth/proof/options', PasskeyOptions, call)
        const prompted = await askForPasskey(options)
        if ('problem' in prompted) {
          refuse({ message: prompted.problem })
          return
        }
        body = { passkey: prompted.response }
      }
      await request('/auth/proof', noAnswer, { ...call, body })
      answerQuestion(question, true)
    },
    otherwise: failures[way],
  })
  const choose = (next: Way): void => {
    flushSync(() => {
      setWay(next)
      form.set('code', '')
      form.clear()
    })
    // The click is the one that a browser wants before it asks for a passkey.
    if (next === 'passkey') part.current?.closest('form')?.requestSubmit()
  }

  return (
    <ActDialog
      title="Confirm it's you"
      lead={<p className="dialog-lead">{leads[way]}</p>}
      form={form}
      label={way === 'passkey' ? 'Use your passkey' : 'Confirm'}
      labelWhileSending={way === 'passkey' ? 'Waiting for your passkey...' : 'Confirming...'}
      after={<OtherWays ways={otherWays(factors, way)} isBusy={form.isSending} onChoose={choose} />}
      asksBeforeClosing={false}
      onClose={() => answerQuestion(question, false)}
    >
      <div ref={part} className="dialog-part">
        {/* Tells a password manager whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={session?.email ?? ''} readOnly hidden />
        {way === 'password' ? (
          <PasswordField
            {...form.field('password')}
            label="Current password"
            autoComplete="current-password"
            required
          />
        ) : null}
        {way === 'totp' || way === 'recovery' ? (
          <CodeField {...form.field('code')} key={way} kind={way} takesFocus />
        ) : null}
      </div>
    </ActDialog>
  )
}

const failures: Readonly<Record<Way, string>> = {
  password: 'Your password could not be checked. Please try again.',
  passkey: 'Your passkey could not be checked. Please try again.',
  totp: 'Your code could not be checked. Please try again.',
  recovery: 'Your code could not be checked. Please try again.',
}

/** Recovery codes are a last resort: they stand behind the code of the app. */
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
