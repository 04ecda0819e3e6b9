import { defineError } from '../../../platform/errors.ts'

/** Why an administrator without a second factor may not do what administrators may, where the site asks for one. */
export const factorRequired = defineError({
  code: 'factor.required',
  status: 403,
  sentence:
    'Set up a second factor under Security and data on your account page first. Administrators of this site need one.',
  remedy: 'Add a passkey or an authenticator app; the role is in force from then on, in the same session.',
})
