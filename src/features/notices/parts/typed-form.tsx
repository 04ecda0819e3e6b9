import { type ReactNode, type RefObject, useId } from 'react'
import { Announced, Notice } from '../../../ui/notice.tsx'
import type { NoticeFieldName, FormField, FormPart } from '../intake/notice-forms.ts'
import { type Fault, type Typed, maxLengths } from '../intake/typed-notice.ts'
import { elementLabel, isElementName } from '../notice/notice-elements.ts'
import { offline, type Refused, type SendableIncomplete, useTypedForm } from './use-typed-form.ts'
import '../../accounts/parts/form-page.css'
import './notices.css'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FieldErrorText, TextArea, TextField } from '../../../ui/text-field.tsx'

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

function IncompleteDialog({
  missing,
  onSend,
  onClose,
}: {
  missing: readonly string[]
  onSend: () => void
  onClose: () => void
}) {
  return (
    <Dialog title="Send it incomplete?" onClose={onClose}>
      <p>This is missing:</p>
      <ul className="typed-missing">
        {missing.map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
      <p className="dialog-lead">You can add it later on the private page of your notice.</p>
      <div className="dialog-actions">
        <Button label="Go back" onClick={onClose} />
        <Button look="solid" label="Send it as it is" onClick={onSend} />
      </div>
    </Dialog>
  )
}

/** The place of a field on its page, to which the list of faults leads. */
function fieldAnchor(name: string): string {
  return `field-${name}`
}

function NoticeField({
  field,
  typed,
  problem,
}: {
  field: FormField
  typed: string | undefined
  problem: string | undefined
}) {
  return (
    <div id={fieldAnchor(field.name)} className="notice-field" data-kind={field.kind}>
      <Input field={field} typed={typed ?? ''} problem={problem} />
    </div>
  )
}

function Input({ field, typed, problem }: { field: FormField; typed: string; problem: string | undefined }) {
  const { name, kind, label, help, isRequired, alternatives, autoComplete } = field
  const common = { name, required: isRequired && alternatives === undefined, problem }
  const text = {
    ...common,
    label,
    help,
    dir: 'auto',
    defaultValue: typed,
    ...(autoComplete === undefined ? {} : { autoComplete }),
  } as const
  switch (kind) {
    case 'email':
      return (
        <TextField
          {...text}
          type="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={maxLengths.email}
        />
      )
    case 'phone':
      return <TextField {...text} type="tel" inputMode="tel" maxLength={maxLengths.phone} />
    case 'lines':
      return <TextArea {...text} rows={3} />
    case 'text':
      return <TextArea {...text} rows={5} />
    case 'addresses':
      return <TextArea {...text} rows={3} autoComplete="off" autoCapitalize="none" spellCheck={false} wrap="soft" />
    case 'tick':
      return <Checkbox {...common} label={label} defaultChecked={typed === 'on'} />
    case 'choice':
      return <Choice field={field} typed={typed} problem={problem} />
    case 'line':
      return <TextField {...text} />
  }
}

function Choice({ field, typed, problem }: { field: FormField; typed: string; problem: string | undefined }) {
  const id = useId()
  const { name, label, choices = [], isRequired } = field
  return (
    <fieldset className="field choice" aria-describedby={problem === undefined ? undefined : id}>
      <legend>{label}</legend>
      {choices.map(({ value, label: words }) => (
        <label key={value} className="choice-option">
          <input type="radio" name={name} value={value} required={isRequired} defaultChecked={typed === value} />
          <span>{words}</span>
        </label>
      ))}
      <FieldErrorText id={id} problem={problem} />
    </fieldset>
  )
}
