import { AppError } from '../../../platform/errors.ts'
import type { FieldError } from './registration.ts'

/** @throws {AppError} `account.invalid`, 422, with the sentence and the field, when a rule is not kept */
export function assertValid(problem: FieldError | undefined): void {
  if (problem === undefined) return
  throw new AppError({ code: 'account.invalid', status: 422, message: problem.message, field: problem.field })
}
