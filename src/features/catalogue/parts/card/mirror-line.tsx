import { agoInWords } from '../../../../browser/format-instant.ts'
import { useNow } from '../../../../browser/use-now.ts'
import { useIsHydrated } from '../../../../ui/use-is-hydrated.ts'
import type { MirrorsOnPage } from '../../item/listing.ts'
import { longDay } from '../list/by-day.ts'
import { mirrorsInWords } from './mirror-words.ts'

/**
 * How many mirrors work, and when they were checked. The page may have been cached since yesterday: the browser computes
 * how long ago that was, and shows the day until then.
 */
export function MirrorLine({ mirrors }: { mirrors: MirrorsOnPage }) {
  const { checkedAt, checkedDay } = mirrors
  if (checkedAt === null || checkedDay === null) return null
  return (
    <p className="mirror-line">
      {mirrorsInWords(mirrors)}, checked <Ago at={checkedAt} otherwise={`on ${longDay(checkedDay)}`} />
    </p>
  )
}

function Ago({ at, otherwise }: { at: string; otherwise: string }) {
  const isHydrated = useIsHydrated()
  const now = useNow()
  return <time dateTime={at}>{isHydrated ? agoInWords(at, now) : otherwise}</time>
}
