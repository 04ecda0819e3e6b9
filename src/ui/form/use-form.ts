import { type FormEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type PathValue,
  useForm as useHookForm,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import { flushSync } from 'react-dom'

export interface FormRefusal {
  message: string
  /** The name of the field that it is about; without one it is about the whole form. */
  field?: string | undefined
  /** A second sentence, where the first does not say what to do. */
  detail?: string
}

/** The rules of a form; a schema of Zod is one. */
export interface FormSchema<Sent> {
  safeParse(
    values: unknown,
  ):
    | { success: true; data: Sent }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } }
}

/** The place of unsent text that outlives a reload. */
export interface Draft {
  read(): unknown
  save(values: unknown): void
  drop(): void
}

export interface FormOptions<Values extends FieldValues, Sent> {
  defaults: Values
  /** The rules that the browser can check; it is sent as they leave it, without them as it was typed. */
  schema?: FormSchema<Sent>
  /** The same, where a rule is a function. */
  check?: (values: Values) => FormRefusal | undefined
  /** Sends it. It throws a refusal, or passes one on to `refuse`. */
  send: (sent: Sent, refuse: (refusal: FormRefusal) => void) => Promise<unknown>
  /** Reads a refusal; undefined where it is shown elsewhere. @throws {unknown} any other error */
  refusalOf: (error: unknown) => Promise<FormRefusal | undefined>
  draft?: Draft | undefined
}

/** The attributes of the input of a field, and its error. */
export type FormField = Pick<UseFormRegisterReturn, 'name' | 'ref' | 'onChange'> & { problem: string | undefined }

export interface FormState<Values extends FieldValues> {
  isSending: boolean
  /** Something differs from the values at the beginning. */
  isDirty: boolean
  /** It began with a draft. */
  isRestored: boolean
  /** The message of the whole form. */
  refusal: FormRefusal | undefined
  /** How many fields have an error. */
  faults: number
  field(name: Path<Values>): FormField
  /** The error of a field that is set by `set`. */
  problemOf(name: Path<Values>): string | undefined
  values: Values
  set<Name extends Path<Values>>(name: Name, value: PathValue<Values, Name>): void
  /** Begins again with these values. */
  reset(values: Values): void
  /** The same with what `send` has stored: text typed since it was sent stays. */
  goOnFrom(stored: Values): void
  /** Takes the messages away, where the form asks for something else from now on. */
  clear(): void
  /** Makes another call about the same values; its refusal is shown as that of `send`. */
  attempt(act: () => Promise<unknown>): Promise<void>
  onSubmit(event: FormEvent<HTMLFormElement>): void
}

/**
 * A form: checked here, sent once for any number of clicks. A refusal shows a sentence beside its field, which gets the
 * focus. The typed text stays.
 */
export function useForm<Values extends FieldValues, Sent = Values>({
  defaults,
  schema,
  check,
  send,
  refusalOf,
  draft,
}: FormOptions<Values, Sent>): FormState<Values> {
  const [saved] = useState(() => likeOf(draft?.read(), defaults))
  const hook = useHookForm<Values, unknown, FieldValues>({
    defaultValues: defaults as DefaultValues<Values>,
    reValidateMode: 'onSubmit',
    resolver: (values) => applyRules(values, check, schema),
  })
  const [isRestored, setIsRestored] = useState(saved !== undefined)
  const { formState, setValue } = hook
  const { errors, isDirty } = formState
  const [outcomes, setOutcomes] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const { refusal, setRefusal, refuse } = useRefusal(hook, form)
  /** The state is a render too late for the second of two clicks. */
  const isBusy = useRef(false)
  /** The values that were sent last, each as JSON. */
  const sentAs = useRef<Record<string, string>>({})
  const { isSending, attempt } = useCalls(refuse, refusalOf)
  useLayoutEffect(() => {
    if (outcomes > 0) isBusy.current = false
  }, [outcomes])

  const values = useWatch({ control: hook.control }) as Values
  useEffect(() => {
    for (const [name, value] of Object.entries(saved ?? {}))
      setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true })
  }, [saved, setValue])
  useSavedDraft(draft, values, isDirty)

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    isBusy.current = true
    setRefusal(undefined)
    try {
      await hook.handleSubmit(({ sent }) => {
        sentAs.current = asJson(hook.getValues())
        return attempt(() => send(sent as Sent, refuse))
      })(event)
    } finally {
      setOutcomes((count) => count + 1)
    }
  }

  const begin = (reset: () => void): void => {
    reset()
    setIsRestored(false)
    setRefusal(undefined)
  }

  const { root, ...faults } = errors
  const problemOf = (name: Path<Values>): string | undefined => hook.getFieldState(name, formState).error?.message

  return {
    isSending,
    isDirty,
    isRestored,
    faults: Object.keys(faults).length,
    refusal: refusal ?? (root === undefined ? undefined : { message: root.message ?? '' }),
    field(name) {
      // Not its `onBlur`: a group of radio buttons that is left without a choice would count as changed.
      const { ref, onChange } = hook.register(name)
      const problem = problemOf(name)
      return {
        name,
        ref,
        problem,
        onChange(event) {
          if (problem !== undefined) hook.clearErrors(name)
          return onChange(event)
        },
      }
    },
    problemOf,
    values,
    set(name, value) {
      setValue(name, value, { shouldDirty: true })
      hook.clearErrors(name)
    },
    reset: (values) => begin(() => hook.reset(values)),
    goOnFrom: (stored) => begin(() => resetKeeping(hook, stored, sentAs.current)),
    clear() {
      hook.clearErrors()
      setRefusal(undefined)
    },
    attempt,
    onSubmit(event) {
      event.preventDefault()
      form.current = event.currentTarget
      if (!isBusy.current) void submit(event)
    },
  }
}

function useCalls(
  refuse: (refusal: FormRefusal | undefined) => void,
  refusalOf: (error: unknown) => Promise<FormRefusal | undefined>,
) {
  /** A form can make a second call before the answer to the first. */
  const [underWay, setUnderWay] = useState(0)
  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    // Drawn before the browser lets the next key in: an Escape must find that the call is under way.
    flushSync(() => setUnderWay((calls) => calls + 1))
    try {
      await act()
    } catch (error) {
      refuse(await refusalOf(error))
    } finally {
      setUnderWay((calls) => calls - 1)
    }
  }
  return { isSending: underWay > 0, attempt }
}

function useRefusal<Values extends FieldValues>(
  hook: Pick<UseFormReturn<Values>, 'setError' | 'setFocus'>,
  form: RefObject<HTMLFormElement | null>,
) {
  const [refusal, setRefusal] = useState<FormRefusal>()
  useEffect(() => {
    // The button, which lost the focus when it was disabled, or what stands in its place.
    if (refusal !== undefined && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('.button')?.focus()
  }, [refusal, form])

  const refuse = (refused: FormRefusal | undefined): void => {
    if (refused === undefined) return
    const { field, message } = refused
    const input = field === undefined ? null : form.current?.elements.namedItem(field)
    // A field that this form does not have cannot show anything.
    if (field === undefined || input === null || input === undefined) {
      setRefusal(refused)
      return
    }
    hook.setError(field as Path<Values>, { message })
    hook.setFocus(field as Path<Values>, {
      shouldSelect: input instanceof HTMLInputElement && input.type === 'password',
    })
  }
  return { refusal, setRefusal, refuse }
}

/**
 * Begins again with what was stored; a value that differs from what was sent was typed since, and stays.
 * @param sentAs the values that were sent, each as JSON
 */
export function resetKeeping<Values extends FieldValues>(
  { getValues, reset, setValue }: Pick<UseFormReturn<Values>, 'getValues' | 'reset' | 'setValue'>,
  stored: Values,
  sentAs: Readonly<Record<string, string>>,
): void {
  const typed = getValues()
  const typedSince = Object.entries(asJson(typed)).filter(([name, value]) => sentAs[name] !== value)
  reset(stored)
  for (const [name] of typedSince)
    setValue(name as Path<Values>, typed[name] as PathValue<Values, Path<Values>>, { shouldDirty: true })
}

function asJson(values: FieldValues): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]))
}

function useSavedDraft(draft: Draft | undefined, values: unknown, isDirty: boolean): void {
  const typed = draft === undefined ? '' : JSON.stringify(values)
  const keep = useEffectEvent((text: string, differs: boolean) => {
    if (differs) draft?.save(JSON.parse(text))
    else draft?.drop()
  })
  useEffect(() => keep(typed, isDirty), [typed, isDirty])
}

function applyRules<Values extends FieldValues, Sent>(
  values: Values,
  check: ((values: Values) => FormRefusal | undefined) | undefined,
  schema: FormSchema<Sent> | undefined,
) {
  const refused = check?.(values)
  if (refused !== undefined) return { values: {}, errors: errorsOf<Values>([[refused.field, refused.message]]) }
  const parsed = schema?.safeParse(values)
  if (parsed === undefined || parsed.success) return { values: { sent: parsed?.data ?? values }, errors: {} }
  const { issues } = parsed.error
  return { values: {}, errors: errorsOf<Values>(issues.map(({ path, message }) => [path.join('.'), message])) }
}

/** The first problem of each field; those of none are about the whole form. */
function errorsOf<Values extends FieldValues>(
  problems: readonly (readonly [field: string | undefined, message: string])[],
): FieldErrors<Values> {
  const errors: Record<string, { type: string; message: string }> = {}
  for (const [field = '', message] of problems) errors[field === '' ? 'root' : field] ??= { type: 'rule', message }
  return errors as FieldErrors<Values>
}

/** A draft with these fields; undefined if another version of the site saved it. */
function likeOf<Values extends FieldValues>(saved: unknown, defaults: Values): Values | undefined {
  if (typeof saved !== 'object' || saved === null) return undefined
  const values = saved as Record<string, unknown>
  const isLike = Object.entries(defaults).every(
    ([name, value]) => typeof values[name] === typeof value && Array.isArray(values[name]) === Array.isArray(value),
  )
  return isLike ? (saved as Values) : undefined
}
