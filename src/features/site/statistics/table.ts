/** A table as it is shown and saved: texts and numbers. */
export interface Table {
  /** Names it for screen readers, and its file. */
  name: string
  heads: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}
