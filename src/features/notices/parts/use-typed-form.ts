import { type FormEvent, useEffect, useRef, useState } from 'react'
import { readTabDraft, writeTabDraft } from '../../../browser/tab-draft.ts'
import type { FormField, FormPart, NoticeFieldName } from '../intake/notice-forms.ts'
import { byField, emptyFieldsIn, type Fault, faultsIn, readTyped, type Typed } from '../intake/typed-notice.ts'
import { useSentOnce } from './use-sent-once.ts'

/** Why a form was not taken, with what was typed. */
export interface Refused {
  /** About the whole form. */
  message: string
  faults: readonly Fault[]
  typed: Typed
}

/** The rules of a form that may be sent incomplete. It is offered after a first try. */
export interface SendableIncomplete {
  /** Why it cannot be sent even so. */
  faultsIn: (typed: Typed) => Fault[]
  missingIn: (typed: Typed) => string[]
}

export const offline =
  'You are offline. Nothing was sent. Your text stays in this tab: send it again once you are connected.'

/**
 * The behaviour of a form about notices: its draft, its checks before it is sent, and the errors that go as they are mended.
 * @param entry the address that the page came with
 */
export function useTypedForm({
  draft,
  parts,
  entry,
  refused,
  incomplete,
}: {
  draft: string
  parts: readonly FormPart[]
  entry: string | undefined
  refused: Refused | undefined
  incomplete: SendableIncomplete | undefined
}) {
  const form = useRef<HTMLFormElement>(null)
  const asItIs = useRef<HTMLButtonElement>(null)
  const { isSending, isBusy, send: sendOnce } = useSentOnce()
  const [isTried, setIsTried] = useState(refused !== undefined && refused.faults.length > 0)
  /** The missing elements, while the page asks the sender about them. */
  const [missing, setMissing] = useState<string[]>()
  /** The page's own validation; `mended`: nothing is wrong any more. */
  const [found, setFound] = useState<Pick<Refused, 'message' | 'faults'> | 'mended'>()
  const shown = found === 'mended' ? undefined : (found ?? refused)

  const fields = fieldsOf(parts)

  useEffect(() => {
    if (form.current !== null) fillFrom(form.current, fieldsOf(parts), draft, entry)
  }, [draft, parts, entry])

  // After an answer of the server, the first field that is wrong.
  useEffect(() => {
    if (refused !== undefined && form.current !== null) focusOn(form.current, refused.faults[0]?.field)
  }, [refused])

  const typedIn = (element: HTMLFormElement): Typed =>
    readTyped(
      new FormData(element),
      fields.map(({ name }) => name),
    )

  const check = (values: Typed, isAsItIs: boolean): Fault[] =>
    isAsItIs && incomplete !== undefined
      ? incomplete.faultsIn(values)
      : [...faultsIn(values), ...emptyFieldsIn(fields, values)]

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    if (isBusy.current) return event.preventDefault()
    const element = event.currentTarget
    const { submitter } = event.nativeEvent as SubmitEvent
    const values = typedIn(element)
    const isAsItIs = submitter !== null && submitter === asItIs.current
    const faults = byField(fields, check(values, isAsItIs))
    const lacks = isAsItIs && missing === undefined ? (incomplete?.missingIn(values) ?? []) : []
    if (faults.length > 0) {
      event.preventDefault()
      setIsTried(true)
      setFound({ message: sentenceOf(faults.length), faults })
      focusOn(element, faults[0]?.field)
    } else if (lacks.length > 0) {
      event.preventDefault()
      setMissing(lacks)
    } else if (!navigator.onLine) {
      event.preventDefault()
      setFound({ message: offline, faults: [] })
    } else {
      sendOnce()
    }
  }

  const onInput = (event: FormEvent<HTMLFormElement>): void => {
    const values = typedIn(event.currentTarget)
    writeTabDraft(draft, values)
    const name = (event.target as HTMLInputElement).name
    const left = shown?.faults.filter(({ field }) => field !== name) ?? []
    if (shown === undefined || left.length === shown.faults.length) return
    setFound(left.length === 0 ? 'mended' : { message: sentenceOf(left.length), faults: left })
  }
  return { form, asItIs, fields, shown, isTried, missing, setMissing, isSending, onSubmit: submit, onInput }
}

/** 'Not sent yet. 2 fields need your attention.' */
function sentenceOf(count: number): string {
  return count === 1
    ? 'Not sent yet. One field needs your attention.'
    : `Not sent yet. ${count} fields need your attention.`
}

function fieldsOf(parts: readonly FormPart[]): FormField[] {
  return parts.flatMap((part) => part.fields)
}

function focusOn(form: HTMLFormElement, name: NoticeFieldName | undefined): void {
  if (name === undefined) return
  form.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}

/** Puts back what was typed in this tab before; an address that the page came with is added to those. */
function fillFrom(form: HTMLFormElement, fields: readonly FormField[], draft: string, entry: string | undefined): void {
  const before = readTabDraft(draft)
  for (const { name, kind } of fields) {
    const text = before[name]
    if (text === undefined) continue
    if (kind === 'choice') {
      const chosen = form.querySelector(`[name="${name}"]:checked`)
      const same = form.querySelector<HTMLInputElement>(`[name="${name}"][value="${CSS.escape(text)}"]`)
      if (chosen === null && same !== null) same.checked = true
      continue
    }
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked ||= text === 'on'
    else if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue
    else if (field.value === '') field.value = text
    else if (name === 'itemUrls' && field.value === entry && !text.split('\n').includes(entry))
      field.value = `${text.trimEnd()}\n${entry}`
    else if (name === 'itemUrls' && field.value === entry) field.value = text
  }
}
