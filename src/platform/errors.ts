/**
 * The one error that use cases throw on purpose. Everything else that is thrown is a defect and answers 500.
 *
 * Modules are loaded twice in one process (by Node and inside the page bundle), so `instanceof` cannot be trusted;
 * the brand is a registered symbol, which both copies share.
 */
const brand = Symbol.for('daybook.app-error')

export interface AppErrorInit {
  /** Stable dotted code for programs, for example `search.parameter`. */
  code: string
  status: number
  /** One sentence for people: what is wrong and what to do. */
  message: string
  /** The parameter, column or form field that is at fault. */
  field?: string
  /** Further members of the JSON answer, for example all reasons of a refusal. */
  details?: Record<string, unknown>
  /** When trying again makes sense; the header `Retry-After` says it too. */
  retryAfterSeconds?: number
  /** The methods that would be answered; the header `Allow` names them. */
  allow?: readonly string[]
  /** Refused on purpose, and likely one of many: the log counts these, and has no line for each. */
  isCounted?: boolean
  /** Nothing was done, for a reason of the site's own: the caller's limits are restored. */
  isNothingDone?: boolean
  cause?: unknown
}

export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly field: string | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly allow: readonly string[] | undefined
  readonly isCounted: boolean
  readonly isNothingDone: boolean

  constructor(init: AppErrorInit) {
    super(init.message, { cause: init.cause })
    this.name = 'AppError'
    this.code = init.code
    this.status = init.status
    this.field = init.field
    this.details = init.details
    this.retryAfterSeconds = init.retryAfterSeconds
    this.allow = init.allow
    this.isCounted = init.isCounted ?? false
    this.isNothingDone = init.isNothingDone ?? false
    Object.defineProperty(this, brand, { value: true })
  }
}

/** All that is said of an error: for the caller who meets it, and for the documentation. */
export interface ErrorKind {
  /** Stable dotted code for programs, for example `search.parameter`. Kinds that share it differ in their sentences. */
  readonly code: string
  readonly status: number
  /** One sentence for people, with … where a value stands. */
  readonly sentence: string
  /** The remedy for the caller. */
  readonly remedy: string
  /** Further members of the answer, and what each is; one may be missing where the case decides. */
  readonly members?: Readonly<Record<string, string>>
  readonly field?: string
  readonly retryAfterSeconds?: number
  readonly isCounted?: boolean
  readonly isNothingDone?: boolean
  /** Only a command of the operator meets it. */
  readonly isOfCommand?: boolean
}

/** The usual remedy of errors that say when. */
export const tryLater = 'Send the request again after the seconds of the header Retry-After.'

type Unsaid = Omit<ErrorKind, 'sentence'>
type ErrorFacts = Pick<AppErrorInit, 'field' | 'details' | 'retryAfterSeconds' | 'allow' | 'cause'>

/** A kind of error that makes the errors to be thrown, from the values of its sentence. */
export interface DefinedError<Values extends unknown[]> extends ErrorKind {
  (...values: [...Values, facts?: ErrorFacts]): AppError
}

const definitions: ErrorKind[] = []

/** The kinds of error of all modules that are loaded, for the documentation. */
export const definedErrors: readonly ErrorKind[] = definitions

/**
 * Defines an error. With a value in it, its sentence is a function of that value; without one, the thrower
 * writes it. A bundle leaves the errors out that it does not throw.
 * @__NO_SIDE_EFFECTS__
 */
export function defineError(kind: ErrorKind): DefinedError<[]>
export function defineError<Values extends unknown[]>(
  kind: Unsaid & { sentence: (...values: Values) => string },
): DefinedError<Values>
export function defineError(kind: Unsaid): DefinedError<[sentence: string]>
export function defineError({
  sentence = (given: string) => given,
  ...kind
}: Unsaid & { sentence?: string | ((...values: string[]) => string) }): DefinedError<string[]> {
  const say = typeof sentence === 'string' ? () => sentence : sentence
  const make = (...given: unknown[]): AppError => {
    const facts = given[say.length] as ErrorFacts | undefined
    return new AppError({ ...kind, ...facts, message: say(...(given as string[])) })
  }
  const values = Array.from({ length: say.length }, () => '…')
  const defined = Object.assign(make, kind, { sentence: say(...values) })
  definitions.push(defined)
  return defined
}

const defect = defineError({
  code: 'internal',
  status: 500,
  sentence: 'Something went wrong on our side. Please try again.',
  remedy: 'A defect. Tell the operator the header x-request-id of the answer: the log has the reason under it.',
})

/** True for an `AppError` of either copy of this module. */
export function isAppError(error: unknown): error is AppError {
  return typeof error === 'object' && error !== null && brand in error
}

/** The part of an error that a caller may see: the sentence of an `AppError`, and nothing of a defect. */
export function presentError(error: unknown): {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
} {
  if (isAppError(error)) {
    const { retryAfterSeconds, allow } = error
    return {
      status: error.status,
      headers: {
        ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterSeconds)) }),
        ...(allow === undefined ? {} : { allow: allow.join(', ') }),
      },
      body: {
        error: error.message,
        message: error.message,
        code: error.code,
        ...(error.field === undefined ? {} : { field: error.field }),
        ...error.details,
      },
    }
  }
  const { status, code, sentence: message } = defect
  return { status, headers: {}, body: { error: message, message, code } }
}
