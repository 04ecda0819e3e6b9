/** The reference of the HTTP interface, as its page shows it. */
export interface Reference {
  groups: readonly { name: string; routes: readonly RouteReference[] }[]
  /** The codes that every route may answer. */
  errorsEverywhere: readonly string[]
  errorCodes: readonly ErrorReference[]
}

export interface RouteReference {
  /** Its anchor. */
  id: string
  method: string
  path: string
  summary: string
  access: string
  /** Headers. */
  keys: readonly string[]
  /** The maximal age of the caller's last proof, in minutes. */
  proofMinutes: number | undefined
  caching: string
  rateLimit: string | undefined
  /** '16 KiB' */
  bodyLimit: string | undefined
  parameters: readonly { name: string; in: string; isRequired: boolean; shape: string; description: string }[]
  /** The shape of the body. */
  body: string | undefined
  /** A body with its required members, as JSON. */
  exampleBody: string | undefined
  /** Its body is a file. */
  takesFile: boolean
  /** Shapes by status; without one, there is no body. */
  answers: readonly { status: string; shape: string | undefined }[]
  errors: readonly string[]
  curl: string
}

export interface ErrorReference {
  code: string
  statuses: string
  sentences: readonly string[]
  remedy: string
  isOfCommand: boolean
}

/** The anchor of an error code. */
export function errorAnchor(code: string): string {
  return `error-${code}`
}
