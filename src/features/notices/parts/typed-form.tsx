import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Announced, Notice } from '../../../ui/notice.tsx'
import type { NoticeFieldName, FormField, FormPart } from '../intake/notice-forms.ts'
import { byField, emptyFieldsIn, type Fault, faultsIn, readTyped, type Typed } from '../intake/typed-notice.ts'
import { IncompleteDialog } from './incomplete-dialog.tsx'
import { elementLabel, isElementName } from '../notice/notice-elements.ts'
import { fieldAnchor, NoticeField } from './notice-field.tsx'
import { useSentOnce } from './use-sent-once.ts'
import '../../accounts/parts/form-page.css'
import './notices.css'
import { readTabDraft, writeTabDraft } from '../../../browser/tab-draft.ts'

/** Why a form was not taken, with what was typed. */
export interface Refused {
  /** About the whole form. */
  message: string
  faults: readonly Fault[]
  typed: Typed
}

const offline = 'You are offline. Nothing was sent. Your text stays in this tab: send it again once you are connected.'

/**
 * A form about notices. The browser itself sends it to its page, with JavaScript and without: with it, what can be checked is
 * checked before, two clicks are one, and what was typed stays in the tab.
 */
export function TypedForm({
  draft,
  parts,
  hidden,
  typed,
  refused,
  send,
  incomplete,
  urgent,
}: {
  /** The name of its draft; of one form on one page. */
  draft: string
  parts: readonly FormPart[]
  /** Fields that nobody sees. */
  hidden: Readonly<Record<string, string>>
  /** The initial text. */
  typed: Typed
  refused: Refused | undefined
  /** On the button. */
  send: string
  /** For a form that may be sent with what it has: why it cannot be, and what is missing. It is offered after a first try. */
  incomplete?: { faultsIn: (typed: Typed) => Fault[]; missingIn: (typed: Typed) => string[] }
  /** Another way to reach us, if the form is refused as a whole. */
  urgent?: ReactNode
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
  const fields = parts.flatMap((part) => part.fields)

  const first = typed.itemUrls
  useEffect(() => {
    if (form.current !== null) fillFrom(form.current, fieldsOf(parts), draft, first)
  }, [draft, parts, first])

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

  return (
    <form
      ref={form}
      className="account-form typed-form"
      method="post"
      // The browser's own bubbles say less than the sentences beside the fields, which the server has, too.
      noValidate
      onSubmit={submit}
      onInput={(event) => {
        const values = typedIn(event.currentTarget)
        writeTabDraft(draft, values)
        const name = (event.target as HTMLInputElement).name
        const left = shown?.faults.filter(({ field }) => field !== name) ?? []
        if (shown === undefined || left.length === shown.faults.length) return
        setFound(left.length === 0 ? 'mended' : { message: sentenceOf(left.length), faults: left })
      }}
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Announced>
        {shown === undefined || shown.message === offline ? null : (
          <Faults shown={shown} fields={fields} urgent={urgent} />
        )}
      </Announced>
      <Parts parts={parts} textOf={(name) => refused?.typed[name] ?? typed[name]} faults={shown?.faults ?? []} />
      <div className="typed-send">
        {/* Beside the button, which may be far below the beginning of the form. */}
        <Announced>{shown?.message === offline ? <Notice tone="failed">{offline}</Notice> : null}</Announced>
        <button type="submit" className="button button-solid" aria-disabled={isSending}>
          {isSending ? <span className="spinner" aria-hidden="true" /> : null}
          {isSending ? 'Sending...' : send}
        </button>
        {incomplete === undefined || !isTried ? null : (
          <SendAsItIs id={`${draft}-as-it-is`} button={asItIs} isSending={isSending} />
        )}
        {missing === undefined ? null : (
          <IncompleteDialog
            missing={missing}
            onSend={() => {
              form.current?.requestSubmit(asItIs.current)
              setMissing(undefined)
            }}
            onClose={() => setMissing(undefined)}
          />
        )}
      </div>
    </form>
  )
}

function Parts({
  parts,
  textOf,
  faults,
}: {
  parts: readonly FormPart[]
  textOf: (name: NoticeFieldName) => string | undefined
  faults: readonly Fault[]
}) {
  return parts.map((part) => (
    <section key={part.title} className="typed-part">
      {part.title === '' ? null : <h2>{part.title}</h2>}
      {part.fields.map((field) => (
        <NoticeField
          key={field.name}
          field={field}
          typed={textOf(field.name)}
          problem={faults.find((fault) => fault.field === field.name)?.message}
        />
      ))}
    </section>
  ))
}

/** Sends it without what is missing. */
function SendAsItIs({
  id,
  button,
  isSending,
}: {
  id: string
  button: RefObject<HTMLButtonElement | null>
  isSending: boolean
}) {
  return (
    <>
      <p id={id}>Is something missing that you do not have now? You can add it later.</p>
      <button
        ref={button}
        type="submit"
        className="button"
        name="incomplete"
        value="yes"
        aria-disabled={isSending}
        aria-describedby={id}
      >
        Send it as it is
      </button>
    </>
  )
}

/** Why it was not taken, with the way to each field at fault. */
function Faults({
  shown: { message, faults },
  fields,
  urgent,
}: {
  shown: Pick<Refused, 'message' | 'faults'>
  fields: readonly FormField[]
  urgent: ReactNode
}) {
  return (
    <Notice tone="failed">
      <p>{message}</p>
      {faults.length === 0 ? (
        urgent
      ) : (
        <ul className="typed-faults">
          {faults.map((fault) => (
            <li key={fault.field}>
              <a className="text-link" href={`#${fieldAnchor(fault.field)}`}>
                {labelOf(fields, fault.field)}
              </a>
              {`: ${fault.message}`}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}

/** 'Not sent yet. 2 fields need your attention.' */
function sentenceOf(count: number): string {
  return count === 1
    ? 'Not sent yet. One field needs your attention.'
    : `Not sent yet. ${count} fields need your attention.`
}

function fieldsOf(parts: readonly FormPart[]): FormField[] {
  return parts.flatMap(({ fields }) => fields)
}

function labelOf(fields: readonly FormField[], name: NoticeFieldName): string {
  const field = fields.find((each) => each.name === name)
  if (field === undefined) return 'This form'
  if (field.kind !== 'tick') return field.label
  // A statement is too long to be its own name; every kind of notice calls it the same.
  return isElementName(name) ? elementLabel('other', name) : 'The consent to jurisdiction'
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
