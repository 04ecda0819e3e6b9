import { z } from 'zod'
import { addDays } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'
import { moment, requiredLine } from './field-readers.ts'

/**
 * Reads the texts of a consent record (docs/spec/publishing.md#people). `validTo` names the last day on which the consent
 * holds and becomes the exclusive `validUntil`.
 */
export function consentText(timeZone: string) {
  return z
    .object({
      pseudonym: requiredLine(120),
      evidence: requiredLine(2_000),
      validTo: moment((day) => startOfDay(addDays(day, 1), timeZone)),
    })
    .transform(({ validTo, ...consent }) => ({ ...consent, validUntil: validTo }))
}
