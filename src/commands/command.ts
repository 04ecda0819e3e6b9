import { parseArgs } from 'node:util'
import type { App } from '../app/app.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import type { TextSettings } from '../features/office/office-config.server.ts'
import type { SiteConfig } from '../features/site/site-config.server.ts'
import type { GivenSettings } from '../platform/config/config.ts'

/** The part of the application that a command uses: everything but the memory of a server. */
export interface CommandApp extends Pick<App, 'config' | 'db' | 'log' | 'clock' | 'diskSpace' | 'rehearsal'> {
  /** Those of the accounts alone. */
  texts: {
    inForce: Pick<TextSettings, 'brandName' | 'contactEmail' | 'accessDeniedMessage'>
    sender: SiteConfig['mailFrom']
  }
}

/** Opens the database, brought up to date, for the time of one command. */
export type WithApp = <T>(
  work: (app: CommandApp, migrated: string[], database: OpenDatabase) => Promise<T>,
) => Promise<T>

/** A command of the operator, by the first word of the command line. */
export interface Command {
  /** Its text in `--help`, indented by two. */
  usage: string
  /** Whether it looks at the settings for payments; what is wrong with them keeps no other command from its work. */
  usesPayments?: true
  /** Whether it creates a database where there is none, and says so; all others refuse. */
  createsDatabase?: true
  /**
   * Answers on standard output.
   * @param args the words after its name
   * @param given for what can be done without a database
   * @param options.insists whether `--database` was said: another database than the server's is meant
   * @returns the status that the process ends with
   */
  run(args: string[], withApp: WithApp, given: GivenSettings, options?: { insists: boolean }): Promise<number>
}

/** Asked for in a way that has no meaning: answered with the sentence, and where to read on. */
export class UsageError extends Error {}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

/** The options of a command; @throws {UsageError} for one that it does not know, and for more words than it takes. */
export function readArguments<const T extends Options>(args: string[], options: T, maxPositionals: number) {
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\.? To specify a positional argument.*$/, '.'), {
      cause: error,
    })
  }
  const extra = parsed.positionals[maxPositionals]
  if (extra !== undefined) throw new UsageError(`'${extra}' is one argument too many.`)
  return parsed
}

export function oneOf<const T extends string>(option: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === given)
  if (found === undefined) throw new UsageError(`${option} must be one of ${allowed.join(', ')}. It is '${given}'.`)
  return found
}
