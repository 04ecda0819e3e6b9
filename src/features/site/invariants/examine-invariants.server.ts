import type { SqlRunner } from '../../../db/queryable.ts'
import { type DoctorCheck, type Finding, good, problem } from '../../../platform/doctor/doctor-check.ts'
import { allInvariants, brokenInWords, checkInvariant } from './check-invariant.server.ts'

export const invariantsCheck: DoctorCheck<{ db: SqlRunner }> = { about: 'Invariants', examine }

async function* examine({ db }: { db: SqlRunner }): AsyncGenerator<Finding> {
  const invariants = allInvariants()
  let isWell = true
  for (const invariant of invariants) {
    const found = await checkInvariant(db, invariant)
    if (found.broken === 0) continue
    isWell = false
    yield problem(brokenInWords(invariant, found), invariant.advice)
  }
  if (isWell) yield good(`all ${invariants.length} hold.`)
}
