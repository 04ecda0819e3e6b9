import { defineError } from '../../../platform/errors.ts'
import type { FieldError } from './registration.ts'

/** @throws {AppError} `account.invalid`, 422, with the sentence and the field, when a rule is not kept */
export function assertValid(problem: FieldError | undefined): void {
  if (problem === undefined) return
  throw invalidAccount(problem.message, { field: problem.field })
}

export const invalidAccount = defineError({
  code: 'account.invalid',
  status: 422,
  remedy: 'Correct the field that the answer names; the sentence says which of its rules is not kept.',
})
