import { useState } from 'react'
import { TextLink } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { pathOfAnyItem } from '../../item/vip-page.ts'
import type { ItemForAdmin } from '../content-schema.ts'
import { isScheduled, standingInWords } from './content-words.ts'

export function SavedNotice({ item }: { item: ItemForAdmin }) {
  const [now] = useState(() => Date.now())
  const isLive = item.status === 'published' && !isScheduled(item, now)
  return (
    <Notice tone="done">
      {item.status === 'draft'
        ? 'Saved as a draft.'
        : isLive
          ? 'Saved and published.'
          : `Saved. ${standingInWords(item, now)}.`}{' '}
      {isLive ? <TextLink to={pathOfAnyItem(item)}>See it on the site</TextLink> : null}
    </Notice>
  )
}
