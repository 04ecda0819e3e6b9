export interface Reference {
  groups: readonly { name: string; routes: readonly RouteReference[] }[]
  errorsEverywhere: readonly string[]
  errorCodes: readonly ErrorReference[]
}

export interface RouteReference {
  id: string
  method: string
  path: string
  summary: string
  access: string
  keys: readonly string[]
  /** The maximal age of the caller's last proof, in minutes. */
  proofMinutes: number | undefined
  caching: string
  rateLimit: string | undefined
  /** '16 KiB' */
  bodyLimit: string | undefined
  parameters: readonly { name: string; in: string; isRequired: boolean; shape: string; description: string }[]
  body: string | undefined
  /** A body with its required members, as JSON. */
  exampleBody: string | undefined
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

export function errorAnchor(code: string): string {
  return `error-${code}`
}
