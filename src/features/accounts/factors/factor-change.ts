/** What can happen to the factors of a member, as an email tells it. */
export const factorChanges = [
  'passkey-added',
  'passkey-removed',
  'totp-added',
  'totp-removed',
  'codes-made',
  'removed-by-administrator',
  'removed-by-operator',
] as const
export type FactorChange = (typeof factorChanges)[number]
