import { defineError, isAppError } from '../../../platform/errors.ts'

/** Nobody, or nobody any more, has this id or address. */
export const unknownMember = defineError({
  code: 'member.unknown',
  status: 404,
  sentence: 'There is no such member, or their account was deleted.',
  remedy: 'Find the member by name or address.',
})

/** The answer of commands, which name an account by its address. */
export const noSuchAccount = defineError({
  code: 'account.unknown',
  status: 404,
  sentence: (email: string) => `No account has the address ${email}.`,
  remedy: 'Compare the address with the list of members.',
  isOfCommand: true,
})

export function isUnknownMember(error: unknown): boolean {
  return isAppError(error) && error.code === unknownMember.code
}
