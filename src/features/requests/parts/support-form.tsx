import { type FormEvent, useEffect, useRef, useState } from 'react'
import { TextLink } from '../../../ui/button.tsx'
import { callApi, NetworkError, sentenceOf } from '../../../browser/api-client.ts'
import { useSession } from '../../../browser/session-store.ts'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { EmailField, TextArea, TextField } from '../../../ui/text-field.tsx'
import { wayTo } from '../../accounts/parts/auth-links.ts'
import { textOf } from '../../accounts/parts/use-submission.ts'
import { faultOfInquiry } from '../support/inquiry-rules.ts'
import { readTabDraft, writeTabDraft, dropTabDraft } from '../../../browser/tab-draft.ts'

/** The result of an inquiry: text with 'success' in it is good news. */
export interface SupportOutcome {
  message: string
  code?: string | undefined
  field?: string | undefined
  /** The typed fields, if they need correction. */
  typed?: { name: string; email: string; message: string } | undefined
}

const notSent = 'There was an error sending your inquiry. Please try again.'
const noAnswer = 'An error occurred. Please try again later.'

/** An inquiry that was refused waits while its writer signs in. */
const draftName = 'inquiry'

/**
 * The form to the operator. Without JavaScript the browser sends it to this page itself; with it, it goes with the session
 * of a member, who finds their name and address in it.
 * @param sending tells two sendings of one page from two inquiries
 */
export function SupportForm({ outcome, sending }: { outcome: SupportOutcome | undefined; sending: string }) {
  const { session } = useSession()
  const [announced, setAnnounced] = useState<SupportOutcome>()
  const [isSending, setIsSending] = useState(false)
  const shown = announced ?? outcome
  const isSent = shown?.message.includes('success') === true
  const form = useRef<HTMLFormElement>(null)

  // A draft stays, also from before signing in.
  useEffect(() => {
    const draft = readTabDraft(draftName)
    for (const name of ['name', 'email', 'message'] as const) {
      const field = form.current?.elements.namedItem(name)
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || field.value !== '') continue
      field.value = draft[name] ?? (name === 'message' ? '' : (session?.[name] ?? ''))
    }
  }, [session])

  const show = async (form: HTMLFormElement): Promise<void> => {
    try {
      const result = await sendInquiry(form, sending)
      setAnnounced(result)
      if (result.field !== undefined) form.querySelector<HTMLElement>(`[name="${result.field}"]`)?.focus()
    } finally {
      setIsSending(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (isSending) return
    const form = event.currentTarget
    // The previous message stays until the answer: nothing moves under a second click.
    setIsSending(true)
    void show(form)
  }

  const typed = announced === undefined ? outcome?.typed : undefined
  const problemOf = (field: string): string | undefined => (shown?.field === field ? shown.message : undefined)
  return (
    <form ref={form} className="account-form" method="post" noValidate onSubmit={submit}>
      <input type="hidden" name="sending" value={sending} />
      <TextField
        label="Name"
        name="name"
        autoComplete="name"
        dir="auto"
        required
        defaultValue={typed?.name ?? ''}
        problem={problemOf('name')}
      />
      <EmailField label="Email" name="email" defaultValue={typed?.email ?? ''} problem={problemOf('email')} />
      <TextArea
        label="Inquiry"
        name="message"
        dir="auto"
        required
        help="What you wanted to do, what happened instead, and the address of the page. Never send your password."
        defaultValue={typed?.message ?? ''}
        problem={problemOf('message')}
      />
      <Announced>
        {shown === undefined || (shown.field !== undefined && !isSent) ? null : (
          <Notice tone={isSent ? 'done' : 'failed'}>
            <p>{shown.message}</p>
            {shown.code === 'inquiry.crowded' && session === undefined ? (
              <p className="with-script">
                <TextLink to={wayTo('/login', '/support')}>Sign in</TextLink>. Your text stays in this tab.
              </p>
            ) : null}
          </Notice>
        )}
      </Announced>
      <button type="submit" className="button button-solid" aria-disabled={isSending}>
        {isSending ? 'Sending...' : 'Send inquiry'}
      </button>
    </form>
  )
}

async function sendInquiry(form: HTMLFormElement, sending: string): Promise<SupportOutcome> {
  const values = new FormData(form)
  const body = {
    name: textOf(values, 'name'),
    email: textOf(values, 'email'),
    message: textOf(values, 'message'),
  }
  const fault = faultOfInquiry(body)
  if (fault !== undefined) return fault
  try {
    const reply = await callApi('/support', { method: 'POST', body: { ...body, sending } })
    if (reply.ok) {
      dropTabDraft(draftName)
      const field = form.elements.namedItem('message')
      if (field instanceof HTMLTextAreaElement) field.value = ''
      return { message: sentenceOf(reply) ?? 'Your inquiry was sent successfully.' }
    }
    const { code, field } = (reply.data ?? {}) as { code?: string; field?: string }
    if (code === 'inquiry.crowded') writeTabDraft(draftName, body)
    return { message: (reply.status < 500 ? sentenceOf(reply) : undefined) ?? notSent, code, field }
  } catch (error) {
    if (error instanceof NetworkError) return { message: noAnswer }
    throw error
  }
}
