import { settings } from '../app/config.ts'
import { examineConfig } from '../app/examine-config.ts'
import { type GivenSettings, throwFaults } from '../platform/config/config.ts'
import { unknownSettingInWords, unknownSettings } from '../platform/config/unknown-settings.ts'
import { type Command, readArguments } from './command.ts'

export const settingsCommand: Command = {
  usage: `  settings [--json]
      Prints what is in force, and where each value is from. Secrets are ***. Needs no database.
`,
  usesPayments: true,
  run: runSettings,
}

async function runSettings(args: string[], _withApp: unknown, given: GivenSettings): Promise<number> {
  const { values } = readArguments(args, { json: { type: 'boolean', default: false } }, 0)
  for (const unknown of unknownSettings(given, settings)) process.stderr.write(`${unknownSettingInWords(unknown)}\n`)
  const { config, faults } = await examineConfig(given)
  throwFaults(faults)
  const lines = config.settings.map(
    ({ name, value, source }) => `${name}=${value.replaceAll('\n', String.raw`\n`)} (from: ${source})\n`,
  )
  process.stdout.write(values.json ? `${JSON.stringify(config.settings, undefined, 2)}\n` : lines.join(''))
  return 0
}
