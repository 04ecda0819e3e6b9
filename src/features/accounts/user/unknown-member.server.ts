import { defineError, isAppError } from '../../../platform/errors.ts'

/** Nobody, or nobody any more, has this id or address. */
export const unknownMember = defineError({
  code: 'member.unknown',
  status: 404,
  sentence: 'There is no such member, or their account was deleted.',
  remedy: 'Find the member by name or address.',
})

export function isUnknownMember(error: unknown): boolean {
  return isAppError(error) && error.code === unknownMember.code
}
