/** The changes of a member's factors that an email reports. */
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
