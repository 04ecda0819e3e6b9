import { readFileSync } from 'node:fs'
import { isPlaceholder } from './placeholders.ts'
import { fileVariableOf, SettingRefusal, type Setting, type SettingTable, type ValuesOf } from './setting.ts'

/** A wrong setting. The message names the variable, what it must be and what it is. */
export class ConfigError extends Error {
  readonly variable: string

  /** @param given '' where it is unset, `***` where it is a secret */
  constructor(variable: string, expected: string, given: string) {
    super(`${variable} must be ${expected}. It is ${given === '' ? 'unset' : JSON.stringify(given)}.`)
    this.name = 'ConfigError'
    this.variable = variable
  }
}

/** Several wrong settings, a line each. */
export class ConfigErrors extends Error {
  readonly faults: readonly ConfigError[]

  constructor(faults: readonly ConfigError[]) {
    super(faults.map(({ message }) => message).join('\n'))
    this.name = 'ConfigErrors'
    this.faults = faults
  }
}

/** @throws {ConfigError} for one fault, {ConfigErrors} for several */
export function throwFaults(faults: readonly ConfigError[]): void {
  const [first, ...others] = faults
  if (first !== undefined) throw others.length === 0 ? first : new ConfigErrors(faults)
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads settings from the environment by their tables: nothing else does. It goes on after a wrong one, which then counts as
 * unset, and collects the faults.
 */
export class SettingsReader {
  readonly #environment: Environment
  readonly #texts = new Map<string, string | undefined>()
  readonly #faults = new Map<string, ConfigError>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** One for each variable: the first, as others may only follow from it. */
  get faults(): ConfigError[] {
    return [...this.#faults.values()]
  }

  values<Table extends SettingTable>(table: Table): ValuesOf<Table> {
    const values = Object.entries(table).map(([line, each]) => [line, this.#read(each) ?? each.default])
    return Object.fromEntries(values) as ValuesOf<Table>
  }

  /** Whether it has a value, right or wrong. */
  isSet(setting: Setting): boolean {
    return this.#textOf(setting) !== undefined || this.isWrong(setting)
  }

  isWrong({ name, isSecret }: Setting): boolean {
    return this.#faults.has(name) || (isSecret === true && this.#faults.has(fileVariableOf({ name })))
  }

  /** Adds a fault that only shows beside other settings. */
  refuse(setting: Setting, expected: string, shown?: string): void {
    const text = this.#textOf(setting) ?? ''
    this.#add(setting.name, expected, setting.isSecret && text !== '' ? '***' : (shown ?? text))
  }

  /** Refuses secrets that stand in an example, and are known to everybody. */
  refusePlaceholders(table: SettingTable): void {
    for (const each of Object.values(table)) {
      const text = each.isSecret ? this.#textOf(each)?.trim() : undefined
      if (text !== undefined && isPlaceholder(URL.parse(text)?.password ?? text)) this.refusePlaceholder(each)
    }
  }

  refusePlaceholder(setting: Setting): void {
    this.refuse(setting, 'a secret of your own, and not the placeholder of an example')
  }

  #read(setting: Setting): unknown {
    const text = this.#textOf(setting)
    if (text === undefined) return undefined
    const value = setting.kind.read(text)
    if (value !== undefined && !(value instanceof SettingRefusal)) return value
    this.refuse(setting, value?.expected ?? setting.kind.expected, value?.shown)
    return undefined
  }

  /** An empty text counts as unset. A file is read once: it may be a pipe. */
  #textOf(setting: Setting): string | undefined {
    const { name, isSecret, keepsSpaces } = setting
    if (!this.#texts.has(name)) {
      const given = this.#environment[name] ?? ''
      const text = (isSecret ? this.#textOfFile(setting, given) : undefined) ?? given
      this.#texts.set(name, (keepsSpaces ? text : text.trim()) || undefined)
    }
    return this.#texts.get(name)
  }

  #textOfFile(setting: Setting, given: string): string | undefined {
    const variable = fileVariableOf(setting)
    const path = this.#environment[variable]?.trim() ?? ''
    if (path === '') return undefined
    if (given.trim() !== '') {
      this.#add(variable, `unset where ${setting.name} is set`, path)
      return undefined
    }
    try {
      const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
      if (text.trim() !== '') return text
    } catch {
      // The sentence below names the file.
    }
    this.#add(variable, `the path of a file that can be read and holds ${setting.name}`, path)
    return undefined
  }

  #add(variable: string, expected: string, given: string): void {
    if (!this.#faults.has(variable)) this.#faults.set(variable, new ConfigError(variable, expected, given))
  }
}

/** The variables that settings are read from, those of their files among them. */
export function variablesOf(tables: readonly SettingTable[]): ReadonlySet<string> {
  const all = tables.flatMap((table) => Object.values(table))
  return new Set(all.flatMap((each) => (each.isSecret ? [each.name, fileVariableOf(each)] : [each.name])))
}
