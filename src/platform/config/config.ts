import { readFileSync } from 'node:fs'
import { isPlaceholder } from './placeholders.ts'
import { fileVariableOf, SettingRefusal, type Setting, type SettingTable, type ValuesOf } from './setting.ts'

/** A wrong setting. The message names the variable, what it must be and what it is. */
export class ConfigError extends Error {
  readonly variable: string

  /**
   * @param given '' where it is unset, `***` where it is a secret
   * @param place where it stands; '' for the environment
   */
  constructor(variable: string, expected: string, given: string, place = '') {
    const where = place === '' ? '' : ` in ${place}`
    super(`${variable} must be ${expected}. It is ${given === '' ? 'unset' : `${JSON.stringify(given)}${where}`}.`)
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

/** The name of the process's own environment. */
const environmentName = 'environment'

/** Where settings stand: the environment, or a file by its path. */
export interface SettingsPlace {
  name: string
  values: Environment
}

/** The places of settings, the first before the others; or the environment alone. */
export type GivenSettings = Environment | readonly SettingsPlace[]

export function placesOf(given: GivenSettings): readonly SettingsPlace[] {
  return isPlaces(given) ? given : [{ name: environmentName, values: given }]
}

function isPlaces(given: GivenSettings): given is readonly SettingsPlace[] {
  return Array.isArray(given)
}

/** '' for the environment: what stands there needs no word about its place. */
export function fileOf({ name }: SettingsPlace): string {
  return name === environmentName ? '' : name
}

/** A value as it would stand in a file; '' for none. */
function written({ kind }: Setting, value: unknown): string {
  if (value === undefined) return ''
  if (kind.write !== undefined) return kind.write(value)
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** A setting as the operator sees it. */
export interface SettingInForce {
  name: string
  /** As it would stand in a file; '' where it is unset, `***` for a secret that is set. */
  value: string
  /** `environment`, the path of the settings file, NAME_FILE, or `default`. */
  source: string
}

interface Source {
  place: SettingsPlace
  /** NAME, or NAME_FILE. */
  variable: string
}

/**
 * Reads settings by their tables: nothing else does. It goes on after a wrong one, which then counts as unset, and collects
 * the faults.
 */
export class SettingsReader {
  readonly #places: readonly SettingsPlace[]
  readonly #texts = new Map<string, string | undefined>()
  readonly #faults = new Map<string, ConfigError>()

  constructor(given: GivenSettings) {
    this.#places = placesOf(given)
  }

  /** The path of the settings file, where there is one. */
  get file(): string | undefined {
    return this.#places.map(fileOf).find((path) => path !== '')
  }

  /** One for each variable: the first, as others may only follow from it. */
  get faults(): ConfigError[] {
    return [...this.#faults.values()]
  }

  values<Table extends SettingTable>(table: Table): ValuesOf<Table> {
    const values = Object.entries(table).map(([line, each]) => [line, this.#read(each) ?? each.default])
    return Object.fromEntries(values) as ValuesOf<Table>
  }

  isSet(setting: Setting): boolean {
    return this.#textOf(setting) !== undefined || this.isWrong(setting)
  }

  isWrong({ name }: Setting): boolean {
    return this.#faults.has(name) || this.#faults.has(fileVariableOf({ name }))
  }

  /** @param inForce its value while it is unset */
  describe(setting: Setting, inForce: unknown): SettingInForce {
    const { name, isSecret } = setting
    const source = this.#sourceOf(setting)
    if (source === undefined) return { name, value: written(setting, inForce), source: 'default' }
    const { place, variable } = source
    // A file is not read for this: settings of payments that are off are not read at all.
    const text = variable === name ? place.values[name] : this.#texts.get(name)
    return { name, value: isSecret ? '***' : (text ?? '').trim(), source: variable === name ? place.name : variable }
  }

  /** Adds a fault that only shows beside other settings. */
  refuse(setting: Setting, expected: string, shown?: string): void {
    const text = this.#textOf(setting) ?? ''
    const given = setting.isSecret && text !== '' ? '***' : (shown ?? text)
    this.#add(setting.name, expected, given, this.#sourceOf(setting)?.place)
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
    const { name, keepsSpaces } = setting
    if (!this.#texts.has(name)) {
      const text = this.#textFrom(setting, this.#sourceOf(setting)) ?? ''
      this.#texts.set(name, (keepsSpaces ? text : text.trim()) || undefined)
    }
    return this.#texts.get(name)
  }

  /** The first place that has it, in either way. */
  #sourceOf(setting: Setting): Source | undefined {
    for (const place of this.#places) {
      for (const variable of [setting.name, fileVariableOf(setting)]) {
        if ((place.values[variable] ?? '').trim() !== '') return { place, variable }
      }
    }
    return undefined
  }

  #textFrom(setting: Setting, source: Source | undefined): string | undefined {
    if (source === undefined) return undefined
    const { place, variable } = source
    const fileVariable = fileVariableOf(setting)
    const path = place.values[fileVariable]?.trim() ?? ''
    if (variable === setting.name) {
      if (path !== '') this.#add(fileVariable, `unset where ${setting.name} is set`, path, place)
      return place.values[setting.name]
    }
    try {
      const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
      if (text.trim() !== '') return text
    } catch {
      // The sentence below names the file.
    }
    this.#add(fileVariable, `the path of a file that can be read and holds ${setting.name}`, path, place)
    return undefined
  }

  #add(variable: string, expected: string, given: string, place: SettingsPlace | undefined): void {
    if (this.#faults.has(variable)) return
    this.#faults.set(variable, new ConfigError(variable, expected, given, place && fileOf(place)))
  }
}
