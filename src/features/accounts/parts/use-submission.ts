import { type FormEvent, useEffect, useRef, useState } from 'react'
import { fieldOf, NetworkError, networkSentence, type Reply, sentenceOf } from '../../../browser/api-client.ts'
import type { FormRefusal } from '../../../ui/form/use-form.ts'

/** Why a form was not taken. */
export interface SubmissionRefusal extends FormRefusal {
  /** The field to go on with, where the sentence is about the whole form. */
  goOnWith?: string
}

export interface Submission {
  isSending: boolean
  refusal: SubmissionRefusal | undefined
  errorOf(field: string): string | undefined
  onSubmit(event: FormEvent<HTMLFormElement>): void
  onInput(event: FormEvent<HTMLFormElement>): void
  /** Takes the message away, where the form asks for something else from now on. */
  clear(): void
}

/**
 * The submission of a form: validated here, sent once for any number of clicks. A refusal shows a sentence beside its
 * field, which gets the focus. The typed text stays.
 */
export function useSubmission({
  check,
  send,
  unreachable = networkRefusal,
}: {
  /** The rules that the browser can ask. */
  check: (values: FormData) => SubmissionRefusal | undefined
  /** @returns why the server did not take it */
  send: (values: FormData) => Promise<SubmissionRefusal | undefined>
  /** The message when no answer came. */
  unreachable?: SubmissionRefusal
}): Submission {
  const [isSending, setIsSending] = useState(false)
  const [refusal, setRefusal] = useState<SubmissionRefusal>()
  const form = useRef<HTMLFormElement>(null)
  /** The state is a render too late for the second of two clicks. */
  const isBusy = useRef(false)

  useEffect(() => {
    if (isSending || form.current === null) return
    const name = refusal?.field ?? refusal?.goOnWith
    const field = name === undefined ? null : form.current.elements.namedItem(name)
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      field.focus()
      if (field.type === 'password') (field as HTMLInputElement).select()
    } else if (document.activeElement === document.body) {
      // The button, which lost the focus when it was disabled, or what stands in its place.
      form.current.querySelector<HTMLElement>('.button')?.focus()
    }
  }, [isSending, refusal])

  const submit = async (values: FormData, fields: HTMLFormControlsCollection): Promise<void> => {
    isBusy.current = true
    setIsSending(true)
    setRefusal(undefined)
    let message: SubmissionRefusal | undefined = unreachable
    try {
      message = await send(values)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
    } finally {
      isBusy.current = false
      setIsSending(false)
      // A field that this form does not have cannot show anything.
      const hasField = message?.field !== undefined && fields.namedItem(message.field) !== null
      setRefusal(message === undefined || hasField ? message : { ...message, field: undefined })
    }
  }

  return {
    isSending,
    refusal: refusal?.field === undefined ? refusal : undefined,
    errorOf: (field) => (refusal?.field === field ? refusal.message : undefined),
    onSubmit(event) {
      event.preventDefault()
      if (isBusy.current) return
      form.current = event.currentTarget
      const values = new FormData(form.current)
      const message = check(values)
      if (message === undefined) void submit(values, form.current.elements)
      // Another object each time: the focus goes to the field again, also for the same reason.
      else setRefusal({ ...message })
    },
    onInput({ target }) {
      if (refusal?.field !== undefined && (target as HTMLInputElement).name === refusal.field) setRefusal(undefined)
    },
    clear: () => setRefusal(undefined),
  }
}

/** No network (docs/spec/pages.md#login). */
export const networkRefusal: SubmissionRefusal = { message: networkSentence }

/** The server's refusal of a form: its sentence, or else this one. */
export function refusalOf(reply: Reply, otherwise: string): SubmissionRefusal {
  return { message: sentenceOf(reply) ?? otherwise, field: fieldOf(reply) }
}

export function textOf(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}
