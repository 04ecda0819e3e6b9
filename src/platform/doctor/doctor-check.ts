import type { Log } from '../log.ts'
import type { Clock } from '../time/clock.ts'

/** A finding of the operator's doctor. */
export interface Finding {
  state: 'good' | 'warning' | 'problem'
  sentence: string
  advice?: string
}

/** A look at one thing. It changes nothing; an error that it throws is a problem of its own. */
export interface DoctorCheck<Examined> {
  /** The first words of its findings. */
  about: string
  /** Not looked at in a rehearsal, which neither sends nor sells. */
  isOffInRehearsal?: true
  examine: (examined: Examined) => Iterable<Finding> | AsyncIterable<Finding>
}

/** The checks of a feature, by what they look at (docs/spec/operations.md#doctor). */
export interface DoctorChecks<Config, Db> {
  /** Settings, and what they name outside of this process. */
  settings?: readonly DoctorCheck<ExaminedSettings<Config>>[]
  /** A database that the next start makes, or migrates; before the first start there is none. */
  waitingDatabase?: readonly DoctorCheck<{ config: Config; db?: Db }>[]
  /** A database whose schema is that of this version. */
  database?: readonly DoctorCheck<ExaminedDatabase<Config, Db>>[]
}

export interface ExaminedSettings<Config> {
  config: Config
  log: Log
  /** The access to other sites; another one in tests. */
  fetch: typeof fetch
}

export interface ExaminedDatabase<Config, Db> {
  config: Config
  db: Db
  clock: Clock
}

export const good = (sentence: string): Finding => ({ state: 'good', sentence })

export const warning = (sentence: string, advice?: string): Finding => ({
  state: 'warning',
  sentence,
  ...(advice === undefined ? {} : { advice }),
})

export const problem = (sentence: string, advice: string): Finding => ({ state: 'problem', sentence, advice })

/** An error in one sentence, with its cause where that says more. */
export function sentenceOf(error: unknown): string {
  const { message, cause } = error as Error
  const behind = cause instanceof Error && !message.includes(cause.message) ? ` ${cause.message}` : ''
  return `${message}${behind}`.replace(/[.\s]*$/, '.')
}
