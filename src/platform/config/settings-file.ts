import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type Environment, placesOf, SettingsReader, type SettingsPlace, throwFaults } from './config.ts'
import { platformSettings } from './platform-config.ts'

/** A settings file that cannot be read, or holds what is no setting. The message names the file, and none of its values. */
export class SettingsFileError extends Error {}

/**
 * The environment, and behind it the settings file: that of DAYBOOK_ENV, else `DATA_DIR/daybook.env`, else the machine's.
 * The first that is there is read, alone (docs/spec/operations.md#settings).
 * @throws {ConfigError} for a wrong DAYBOOK_ENV or DATA_DIR, {SettingsFileError} for a file that cannot be used
 */
export function readPlaces(
  environment: Environment,
  machinesFile = '/etc/daybook/daybook.env',
): readonly SettingsPlace[] {
  const { settingsFile: named, dataDir } = platformSettings
  const reader = new SettingsReader(environment)
  const { named: file, dataDir: given } = reader.values({ named, dataDir })
  throwFaults(reader.faults)
  const folder = given ?? resolve('./data')
  // A command may be typed where its user sees nothing, as `runuser` is in the home of root: no data directory is there.
  const ofData = given === undefined && !existsSync(folder) ? [] : [join(folder, 'daybook.env')]
  const candidates = file === undefined ? [...ofData, machinesFile] : [file]
  for (const path of candidates) {
    const content = readIfThere(path)
    if (content !== undefined) return [...placesOf(environment), { name: path, values: parseSettings(content, path) }]
  }
  return placesOf(environment)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    const advice =
      code === 'EACCES'
        ? ' Run this as the user of the server, or let that user read it: chgrp its group, chmod 640.'
        : ''
    throw new SettingsFileError(`The settings file ${path} cannot be read: ${message}.${advice}`, { cause: error })
  }
}

/** An entry, an empty line or a comment. A value in quotes may be of several lines; in one without, `#` begins a comment. */
const statement =
  /[^\S\n]*(?:(?:export[^\S\n]+)?(?<name>[^\s=#]+)[^\S\n]*=[^\S\n]*(?<value>"[^"]*"|'[^']*'|`[^`]*`|[^\s#"'`][^\n#]*|)[^\S\n]*)?(?:#[^\n]*)?(?:\n|$)/y

/**
 * Reads the grammar of Node's `parseEnv`. Other lines, which that leaves out without a word, are refused, and so is what
 * stands behind a closing quote.
 * @throws {SettingsFileError} which numbers each line that is no such entry
 */
export function parseSettings(content: string, path: string): Environment {
  const text = content.replaceAll('\r', '')
  const values: Record<string, string | undefined> = {}
  const wrong: number[] = []
  for (let at = 0; at < text.length;) {
    statement.lastIndex = at
    const { name, value = '' } = statement.exec(text)?.groups ?? {}
    if (statement.lastIndex === 0) wrong.push(text.slice(0, at).split('\n').length)
    else if (name !== undefined) values[name] = parseEnv(`VALUE=${value}`)['VALUE']
    at = statement.lastIndex || text.indexOf('\n', at) + 1 || text.length
  }
  const sentences = wrong.map((line) => `${path}, line ${line}: here must stand NAME=value, a comment or nothing.`)
  const { name: own } = platformSettings.settingsFile
  if (values[own] !== undefined) sentences.push(`${path}: ${own} is read from the environment alone.`)
  if (sentences.length > 0) throw new SettingsFileError(sentences.join('\n'))
  return values
}
