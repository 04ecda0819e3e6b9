import { useState } from 'react'
import { Link } from 'react-router'
import { Notice } from '../../../../ui/notice.tsx'
import { pathOfAnyItem } from '../../item/vip-page.ts'
import type { ItemForAdmin } from '../content-schema.ts'
import { isScheduled, standingInWords } from './content-words.ts'

export function SavedNotice({ item, timeZone }: { item: ItemForAdmin; timeZone: string }) {
  const [now] = useState(() => Date.now())
  const isLive = item.status === 'published' && !isScheduled(item, now)
  return (
    <Notice tone="done">
      {item.status === 'draft'
        ? 'Saved as a draft.'
        : isLive
          ? 'Saved and published.'
          : `Saved. ${standingInWords(item, now, timeZone)}.`}{' '}
      {isLive ? (
        <Link className="text-link" to={pathOfAnyItem(item)}>
          See it on the site
        </Link>
      ) : null}
    </Notice>
  )
}
