/** Says more exactly than its kind what a value must be, or shows less of it. */
export class SettingRefusal {
  readonly expected: string
  readonly shown: string | undefined

  constructor(expected: string, shown?: string) {
    this.expected = expected
    this.shown = shown
  }
}

/** How the text of a setting is read. */
export interface Kind<T> {
  /** Continues the sentence 'NAME must be …'. */
  expected: string
  /** @returns undefined or a refusal for a text that is no such value */
  read: (text: string) => T | undefined | SettingRefusal
  /** The text of a value, where it is another than `String` makes. */
  write?(value: T): string
}

/** A setting of the operator, with everything that the check, the documentation and the reader know of it. */
export interface Setting<T = unknown, Default = T | undefined> {
  name: string
  kind: Kind<T>
  /** In force while it is unset. A default that depends on other settings is decided where they are put together. */
  default: Default
  /** The default in the words of the documentation, where the value itself does not say it. */
  byDefault?: string
  /** Is never shown. */
  isSecret?: true
  /** Spaces at its ends belong to it. */
  keepsSpaces?: true
  /** Its meaning, as a cell of the table in docs/operating.md. */
  sentence: string
}

export type SettingTable = Readonly<Record<string, Setting>>

export type ValuesOf<Table extends SettingTable> = {
  [Line in keyof Table]: Table[Line] extends Setting<infer T, infer Default> ? T | Default : never
}

type Described<T> = Omit<Setting<T>, 'default'>

export function setting<T>(described: Described<T> & { default: NoInfer<T> }): Setting<T, T>
export function setting<T>(described: Described<T>): Setting<T, undefined>
export function setting<T>(described: Described<T> & { default?: T }): Setting<T> {
  return { default: undefined, ...described }
}

/** The variable that names a file with the value. */
export function fileVariableOf({ name }: Pick<Setting, 'name'>): string {
  return `${name}_FILE`
}
