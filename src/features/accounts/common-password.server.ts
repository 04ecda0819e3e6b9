import type { App } from '../../platform/app.ts'
import { refuseProblem } from './refuse-problem.server.ts'

/** @throws {AppError} `account.invalid`, 422, for a password that is among the first to be guessed */
export function refuseCommonPassword(app: Pick<App, 'passwords'>, password: string): void {
  if (!app.passwords.isCommon(password)) return
  refuseProblem({
    field: 'password',
    message: 'This password is one of the most common ones. Please choose another.',
  })
}
