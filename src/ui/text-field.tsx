import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import './fields.css'

export interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'className'> {
  name: string
  label: string
  /** Stands below the input, where a problem takes its place. */
  help?: ReactNode
  /** The field's error, read out when it appears. */
  problem?: string | undefined
}

/** A line to write in. It keeps its own text: what was typed before the page came to life stays. */
export function TextField({ label, help, problem, ...input }: FieldProps) {
  const id = useId()
  return (
    <Frame id={id} label={label} help={help} problem={problem}>
      <input {...input} {...described(id, help, problem)} className="field-input" />
    </Frame>
  )
}

export function EmailField(field: Omit<FieldProps, 'type'>) {
  return (
    <TextField
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...field}
    />
  )
}

/** Several lines to write in, as high as their text. */
export function TextArea({
  label,
  help,
  problem,
  ...area
}: Omit<ComponentProps<'textarea'>, 'id' | 'className'> & Pick<FieldProps, 'name' | 'label' | 'help' | 'problem'>) {
  const id = useId()
  return (
    <Frame id={id} label={label} help={help} problem={problem}>
      <textarea {...area} {...described(id, help, problem)} className="field-input field-area" />
    </Frame>
  )
}

/** A password, hidden until its writer wants to see it, and hidden again when the form is sent. */
export function PasswordField({
  label,
  help,
  problem,
  ref,
  ...input
}: Omit<FieldProps, 'type' | 'ref'> & { ref?: RefCallback<HTMLInputElement> }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isShown, setIsShown] = useState(false)
  const [hasCapsLock, setHasCapsLock] = useState(false)

  useEffect(() => {
    const form = field.current?.form
    const hide = (): void => setIsShown(false)
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [])

  const noteCapsLock = (event: KeyboardEvent): void => setHasCapsLock(event.getModifierState('CapsLock'))
  return (
    <Frame id={id} label={label} help={help} problem={problem} hint={hasCapsLock ? 'Caps Lock is on.' : undefined}>
      <div className="field-password">
        <input
          spellCheck={false}
          autoCapitalize="none"
          {...input}
          {...described(id, help, problem)}
          ref={(element) => {
            field.current = element
            ref?.(element)
          }}
          type={isShown ? 'text' : 'password'}
          className="field-input"
          onKeyDown={noteCapsLock}
          onKeyUp={noteCapsLock}
          onBlur={(event) => {
            setHasCapsLock(false)
            input.onBlur?.(event)
          }}
        />
        <button
          type="button"
          className="field-show with-script"
          aria-controls={id}
          onClick={() => setIsShown((shown) => !shown)}
        >
          {isShown ? 'Hide' : 'Show'}
          <span className="sr-only">{` ${label.toLowerCase()}`}</span>
        </button>
      </div>
    </Frame>
  )
}

export function Frame({
  id,
  label,
  help,
  problem,
  hint,
  children,
}: {
  id: string
  label: string
  help: ReactNode
  problem: string | undefined
  /** Null where there is never one. */
  hint?: string | null | undefined
  children: ReactNode
}) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      <FieldErrorText id={errorIdOf(id)} problem={problem} />
      {hint === null ? null : (
        <p className="field-hint" role="status">
          {hint}
        </p>
      )}
      {help === undefined || problem !== undefined ? null : (
        <p id={helpIdOf(id)} className="field-help">
          {help}
        </p>
      )}
    </div>
  )
}

/** The sentence about what is wrong with a field. The place is always there: only so is what appears in it read out. */
export function FieldErrorText({ id, problem }: { id: string; problem: string | undefined }) {
  return (
    <p id={id} className="field-problem" role="alert">
      {problem}
    </p>
  )
}

export function described(id: string, help: ReactNode, problem: string | undefined) {
  const helpId = help === undefined ? undefined : helpIdOf(id)
  const describedBy = problem === undefined ? helpId : errorIdOf(id)
  return {
    id,
    'aria-invalid': problem !== undefined,
    ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
  }
}

const errorIdOf = (id: string): string => `${id}problem`
const helpIdOf = (id: string): string => `${id}help`
