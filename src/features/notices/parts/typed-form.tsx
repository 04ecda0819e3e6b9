import type { ReactNode, RefObject } from 'react'
import { Announced, Notice } from '../../../ui/notice.tsx'
import type { NoticeFieldName, FormField, FormPart } from '../intake/notice-forms.ts'
import type { Fault, Typed } from '../intake/typed-notice.ts'
import { IncompleteDialog } from './incomplete-dialog.tsx'
import { elementLabel, isElementName } from '../notice/notice-elements.ts'
import { fieldAnchor, NoticeField } from './notice-field.tsx'
import { offline, type Refused, type SendableIncomplete, useTypedForm } from './use-typed-form.ts'
import '../../accounts/parts/form-page.css'
import './notices.css'

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
  typed: Typed
  refused: Refused | undefined
  /** On the button. */
  send: string
  incomplete?: SendableIncomplete
  /** Another way to reach us, if the form is refused as a whole. */
  urgent?: ReactNode
}) {
  const { form, asItIs, fields, shown, isTried, missing, setMissing, isSending, onSubmit, onInput } = useTypedForm({
    draft,
    parts,
    entry: typed.itemUrls,
    refused,
    incomplete,
  })
  return (
    <form
      ref={form}
      className="account-form typed-form"
      method="post"
      // The browser's own bubbles say less than the sentences beside the fields, which the server has, too.
      noValidate
      onSubmit={onSubmit}
      onInput={onInput}
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

function labelOf(fields: readonly FormField[], name: NoticeFieldName): string {
  const field = fields.find((each) => each.name === name)
  if (field === undefined) return 'This form'
  if (field.kind !== 'tick') return field.label
  // A statement is too long to be its own name; every kind of notice calls it the same.
  return isElementName(name) ? elementLabel('other', name) : 'The consent to jurisdiction'
}
