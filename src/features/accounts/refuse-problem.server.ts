import { AppError } from '../../platform/errors.ts'
import type { Problem } from './registration.ts'

/** @throws {AppError} `account.invalid`, 422, with the sentence and the field, when a rule is not kept */
export function refuseProblem(problem: Problem | undefined): void {
  if (problem === undefined) return
  throw new AppError({ code: 'account.invalid', status: 422, message: problem.message, field: problem.field })
}
