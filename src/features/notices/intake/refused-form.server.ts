import type { AppError } from '../../../platform/errors.ts'
import { type Fault, longestShown, type Typed } from './typed-notice.ts'

/** The state of a refused form: every fault, and the typed text. */
export function refusedForm(error: AppError, typed: Typed): { message: string; faults: Fault[]; typed: Typed } {
  const { faults } = (error.details ?? {}) as { faults?: Fault[] }
  const restored = Object.fromEntries(
    // The fields would return a NUL as another character.
    Object.entries(typed).map(([name, text]) => [name, text.slice(0, longestShown(name)).replaceAll('\0', '')]),
  )
  return {
    message: faults === undefined ? error.message : 'Not sent yet. Please correct the marked fields.',
    faults: faults ?? [],
    typed: restored,
  }
}
