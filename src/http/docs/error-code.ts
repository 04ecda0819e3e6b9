/** A code of the errors that callers meet. Every code stands in one list of its feature; a test holds them to the source. */
export interface ErrorCode {
  code: string
  /** The status that it comes with; more than one where the case decides. */
  status: number | readonly number[]
  /** The sentence, with … where a value stands; several where the case decides. */
  sentences: readonly string[]
  /** Further members of the answer, and what each is; one may be missing where the case decides. */
  members?: Readonly<Record<string, string>>
  /** The remedy for the caller. */
  remedy: string
  /** Only a command of the operator meets it. */
  isOfCommand?: boolean
}
