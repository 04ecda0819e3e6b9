/** Why an administrator without a second factor may not do what administrators may, where the site asks for one. */
export const factorRequired = {
  code: 'factor.required',
  message: 'Set up a second factor on your account page first. Administrators of this site need one.',
} as const
