import { AppError, isAppError } from '../../../platform/errors.ts'

const unknownCode = 'member.unknown'

/** Nobody, or nobody any more, has this id or address. */
export function unknownMember(): AppError {
  return new AppError({
    code: unknownCode,
    status: 404,
    message: 'There is no such member, or their account was deleted.',
  })
}

export function isUnknownMember(error: unknown): boolean {
  return isAppError(error) && error.code === unknownCode
}
