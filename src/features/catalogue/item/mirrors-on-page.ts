import { dayOf } from '../../../platform/time/site-time.ts'
import type { MirrorCount } from './link-slots.ts'
import type { MirrorsOnPage } from './listing.ts'

export function mirrorsOnPage(count: MirrorCount, timeZone: string): MirrorsOnPage {
  return { ...count, checkedDay: count.checkedAt === null ? null : dayOf(Date.parse(count.checkedAt), timeZone) }
}
