import type { AppError } from '../../platform/errors.ts'

/** One request for a page, as its loader and its action may see it. */
export interface PageVisit {
  method: 'GET' | 'HEAD' | 'POST'
  /** The visitor's network address, behind the proxies that are trusted. */
  readonly address: string
  /** For a form: the query of its address, as it came. A page whose address holds a secret reads it here. */
  readonly query?: URLSearchParams
  form?: SentForm
  /** Counts a form that the action has refused, before the page is rendered. */
  countRefusal(): Promise<void>
  /** Why the server answers in place of the page. */
  excess?: AppError
}

/** A form that was sent to a page: the first field of each name that the page declares, or why they were not taken. */
export type SentForm = { fields: Readonly<Record<string, string>>; refusal?: undefined } | { refusal: AppError }
