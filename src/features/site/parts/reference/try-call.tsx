import { type SyntheticEvent, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { callApi, NetworkError, networkSentence, type Reply } from '../../../../browser/api-client.ts'
import { current } from '../../../../browser/session-store.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { TextArea, TextField } from '../../../../ui/text-field.tsx'
import { loadProfile } from '../../../office/viewer/load-profile.ts'
import type { RouteReference } from '../../reference/reference.ts'
import { addressOf, bodyIn } from '../../reference/call-of.ts'
import { Code } from './code.tsx'

/** Longer answers are shown in part. */
const shownCharacters = 50_000

interface Prepared {
  address: string
  body?: Record<string, unknown>
}

type Outcome = { reply: Reply; ms: number } | { failure: string }

/** Calls a route as the member who has signed in: a GET at once, everything else after a question. */
export default function TryCall({ route }: { route: RouteReference }) {
  const { method, path, keys, parameters, exampleBody } = route
  const [outcome, setOutcome] = useState<Outcome>()
  const [asked, setAsked] = useState<Prepared>()
  const [isCalling, setIsCalling] = useState(false)

  const call = async ({ address, body }: Prepared): Promise<void> => {
    setIsCalling(true)
    setOutcome(undefined)
    const token = current().session?.token
    const began = performance.now()
    try {
      const adminKey =
        keys.includes('admin-key') && token !== undefined ? (await loadProfile(token)).adminKey : undefined
      const reply = await callApi(address, {
        method: method as 'GET',
        ...(body === undefined ? {} : { body }),
        ...(adminKey === undefined ? {} : { adminKey }),
      })
      setOutcome({ reply, ms: Math.round(performance.now() - began) })
    } catch (error) {
      setOutcome({
        failure: error instanceof Error && !(error instanceof NetworkError) ? error.message : networkSentence,
      })
    }
    setIsCalling(false)
  }

  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (isCalling) return
    const typed = Object.fromEntries(
      // No field takes a file.
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    )
    const body = bodyIn(typed['body'])
    if (body === null) {
      setOutcome({ failure: 'The body is not a JSON object.' })
      return
    }
    const prepared = { address: addressOf(path, parameters, typed), ...(body === undefined ? {} : { body }) }
    if (method === 'GET') void call(prepared)
    else setAsked(prepared)
  }

  return (
    <form className="reference-try" aria-label={`Try ${method} ${path}`} onSubmit={submit}>
      <h4>Try it</h4>
      {parameters
        .filter((parameter) => parameter.in !== 'header')
        .map(({ name, in: place, isRequired, description }) => (
          <TextField
            key={`${place}.${name}`}
            name={`${place}.${name}`}
            label={name}
            required={isRequired}
            help={description === '' ? undefined : description}
            autoComplete="off"
            spellCheck={false}
          />
        ))}
      {exampleBody === undefined ? null : (
        <TextArea name="body" label="Body" defaultValue={exampleBody} autoComplete="off" spellCheck={false} rows={6} />
      )}
      <p>
        <button type="submit" className="button button-solid" aria-disabled={isCalling}>
          {isCalling ? 'Calling...' : method === 'GET' ? 'Call' : 'Call …'}
        </button>
      </p>
      <div role="status">{outcome === undefined ? null : <Answer outcome={outcome} />}</div>
      {asked === undefined ? null : (
        <Dialog title="Make this call?" onClose={() => setAsked(undefined)}>
          <p className="dialog-lead">
            <code>{`${method} ${asked.address}`}</code> is made in your name and may change what the site keeps.
          </p>
          <div className="dialog-actions">
            <Button label="Cancel" onClick={() => setAsked(undefined)} />
            <Button
              look="solid"
              label="Call"
              onClick={() => {
                setAsked(undefined)
                void call(asked)
              }}
            />
          </div>
        </Dialog>
      )}
    </form>
  )
}

function Answer({ outcome }: { outcome: Outcome }) {
  if ('failure' in outcome) return <Notice tone="failed">{outcome.failure}</Notice>
  const { reply, ms } = outcome
  const text = reply.data === undefined ? undefined : JSON.stringify(reply.data, null, 2)
  return (
    <>
      <p>
        <b>{`Status ${reply.status}`}</b>
        {`, ${ms} ms${text === undefined ? ', no JSON in the answer' : ''}`}
      </p>
      {text === undefined ? null : (
        <Code label="Answer">
          {text.length > shownCharacters
            ? `${text.slice(0, shownCharacters)}\n… of ${text.length.toLocaleString('en-US')} characters`
            : text}
        </Code>
      )}
    </>
  )
}
