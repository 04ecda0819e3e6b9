import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { TextLink } from '../../../../ui/button.tsx'
import type { Reply } from '../../../../browser/api-client.ts'
import { NeededFactor } from '../../factors/factor-schema.ts'
import type { ShownFactor } from '../../browser/open-account-session.ts'
import { AccountForm, FormPage } from '../form-page.tsx'
import { networkRefusal, type SubmissionRefusal, refusalOf, textOf, useSubmission } from '../use-submission.ts'
import { checkCode, CodeField } from './code-field.tsx'
import { OtherWays } from './other-ways.tsx'
import { passkeyObstacle } from './passkey-obstacle.ts'
import { askForPasskey } from './passkey-prompt.ts'

type Way = 'passkey' | 'totp' | 'recovery'

/** The question of a passkey is not older than the server takes it, with a minute to answer it. */
const freshMs = 4 * 60_000

/**
 * The second step of a sign-in, after the right password of an account with a second factor.
 * @param asked the server's answer to the first step
 * @param signIn makes the call again: with what was shown, or without it to be asked anew
 * @param done the message once it is over
 */
export function SecondStep({
  email,
  asked,
  signIn,
  done,
  onBack,
}: {
  email: string
  asked: unknown
  signIn: (factor?: ShownFactor) => Promise<Reply>
  done: string | undefined
  onBack: () => void
}) {
  const { needed, show, showPasskey } = useNeededFactor(asked, signIn)
  const ways = needed.factors.filter((way) => way !== 'passkey' || passkeyObstacle() === undefined)
  const [chosen, setWay] = useState<Way | undefined>(() => ways[0])
  const way = chosen ?? 'recovery'
  const frame = useRef<HTMLDivElement>(null)

  const submission = useSubmission({
    check: (values) => (way === 'passkey' ? undefined : checkCode(way, textOf(values, 'code'))),
    send: (values) => (way === 'passkey' ? showPasskey() : show({ code: textOf(values, 'code').trim() })),
    unreachable: networkRefusal,
  })
  useEffect(() => {
    frame.current?.querySelector<HTMLElement>('form input, form .button')?.focus()
  }, [])

  const isOver = done !== undefined
  const choose = (next: Way): void => {
    flushSync(() => {
      setWay(next)
      submission.clear()
    })
    // The click is the one that a browser wants before it asks for a passkey.
    if (next === 'passkey') frame.current?.querySelector('form')?.requestSubmit()
  }

  return (
    <div ref={frame}>
      <FormPage
        title="Confirm it's you"
        lead={
          <>
            Signing in as <bdi>{email}</bdi>.
          </>
        }
        elsewhere={
          <>
            <button
              type="button"
              className="text-link"
              aria-disabled={submission.isSending || isOver}
              onClick={() => {
                if (!submission.isSending && !isOver) onBack()
              }}
            >
              Use another account
            </button>
          </>
        }
      >
        <AccountForm
          submission={submission}
          label={way === 'passkey' ? 'Use your passkey' : 'Sign In'}
          labelWhileSending={way === 'passkey' && !isOver ? 'Waiting for your passkey...' : 'Signing in...'}
          done={done}
        >
          {way === 'passkey' ? (
            <p className="soft-label">
              Your browser will ask for your fingerprint, your face, a PIN or your security key.
            </p>
          ) : (
            <CodeField key={way} kind={way} takesFocus problem={submission.errorOf('code')} />
          )}
          {way === 'recovery' ? <Lost /> : null}
        </AccountForm>
        <OtherWays
          ways={needed.factors.filter((other) => other !== way && ways.includes(other))}
          isBusy={submission.isSending || isOver}
          onChoose={(other) => {
            if (other !== 'password') choose(other)
          }}
        />
      </FormPage>
    </div>
  )
}

/** The server's question, which each refusal replaces, and the two answers to it. */
function useNeededFactor(asked: unknown, signIn: (factor?: ShownFactor) => Promise<Reply>) {
  const [needed, setNeeded] = useState(() => ({ ...NeededFactor.parse(asked), at: performance.now() }))

  /** @returns why it was refused */
  const show = async (factor: ShownFactor): Promise<SubmissionRefusal | undefined> => {
    const reply = await signIn(factor)
    if (reply.ok) return undefined
    storeQuestion(reply)
    return { ...refusalOf(reply, 'Login failed. Please try again.'), goOnWith: 'code' }
  }
  const storeQuestion = (reply: Reply): typeof needed | undefined => {
    const next = NeededFactor.safeParse(reply.data)
    if (!next.success) return undefined
    const question = { ...next.data, at: performance.now() }
    setNeeded(question)
    return question
  }
  const showPasskey = async (): Promise<SubmissionRefusal | undefined> => {
    let question: typeof needed | undefined = needed
    if (performance.now() - question.at > freshMs) {
      const reply = await signIn()
      question = storeQuestion(reply)
      if (question === undefined) return refusalOf(reply, 'Login failed. Please try again.')
    }
    if (question.passkey === undefined) return { message: 'Your account has no passkey any more. Choose another way.' }
    const prompted = await askForPasskey(question.passkey.options)
    return 'problem' in prompted ? { message: prompted.problem } : show({ passkey: prompted.response })
  }
  return { needed, show, showPasskey }
}

function Lost(): ReactNode {
  return (
    <p className="soft-label">
      No code left either? <TextLink to="/support">Write to us</TextLink>.
    </p>
  )
}
