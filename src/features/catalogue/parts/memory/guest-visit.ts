import { remember, remembered } from '../../../../browser/remembered.ts'
import { type Visit, visitAt } from '../../saved/visit.ts'

const storageKey = 'visit'

/** The visit of a guest, which this browser alone knows; undefined before the first, and where nothing can be kept. */
function readGuestVisit(): Visit | undefined {
  try {
    const kept: unknown = JSON.parse(remembered(storageKey) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return undefined
    const { seenAt, newSince } = kept as Partial<Visit>
    if (typeof seenAt !== 'number') return undefined
    return { seenAt, newSince: typeof newSince === 'number' ? newSince : undefined }
  } catch {
    return undefined
  }
}

/** Whether the guest has been here in an earlier visit: something may be new to them. */
export function isGuestBack(now = Date.now()): boolean {
  return visitAt(readGuestVisit(), now).newSince !== undefined
}

/** Notes a sign of the guest; all tabs share the visit. */
export function signOfGuest(now = Date.now()): Visit {
  const visit = visitAt(readGuestVisit(), now)
  // Without storage every visit is the first.
  remember(storageKey, JSON.stringify(visit))
  return visit
}
