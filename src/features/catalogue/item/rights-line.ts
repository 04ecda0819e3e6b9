import type { RightsBasis } from './rights.ts'

/** The rights record as a visitor reads it (docs/spec/publishing.md#rights-line). */

const basisNames: Record<string, string> = {
  own_work: 'Own work',
  work_for_hire: 'Work for hire',
  license: 'Licensed',
  assignment: 'Rights assigned',
  public_domain: 'Public domain',
  open_license: 'Open licence',
  statutory_exception: 'Statutory exception',
} satisfies Record<RightsBasis, string>

export function basisName(basis: string): string {
  return basisNames[basis] ?? basis
}

/** The address of a licence's text: an address is itself, an SPDX identifier leads to the SPDX list. */
export function licenceAddress(licence: string | null): string | null {
  if (licence === null) return null
  if (/^https?:\/\//i.test(licence)) return licence
  return /^[A-Za-z0-9][A-Za-z0-9.+-]*$/.test(licence) ? `https://spdx.org/licenses/${licence}.html` : null
}
