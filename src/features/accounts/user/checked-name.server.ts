import { hasInvisible } from '../../../platform/invisible-characters.ts'
import { assertValid } from './assert-valid.server.ts'

const maxNameLength = 60

/**
 * The name that a member gives to one of their passkeys or app passwords.
 * @throws {AppError} `account.invalid`, 422
 */
export function checkedName(name: string): string {
  const called = name.trim()
  const message =
    called === ''
      ? 'Name is required'
      : Array.from(called).length > maxNameLength
        ? `Name must be at most ${maxNameLength} characters`
        : /\p{Cc}/u.test(called) || hasInvisible(called, { mayJoin: true })
          ? 'Please enter a name without invisible characters'
          : undefined
  assertValid(message === undefined ? undefined : { field: 'name', message })
  return called
}
