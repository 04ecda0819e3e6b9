/** The words of a rights record (docs/spec/publishing.md#rights-record). Browser-safe and without dependencies. */

export const rightsBases = [
  'own_work',
  'work_for_hire',
  'license',
  'assignment',
  'public_domain',
  'open_license',
  'statutory_exception',
] as const
export type RightsBasis = (typeof rightsBases)[number]

export const ratings = ['general', 'mature'] as const

export const peopleStatements = ['none', 'not_identifiable', 'identifiable'] as const

export const adultAnswers = ['yes', 'no', 'unknown'] as const
