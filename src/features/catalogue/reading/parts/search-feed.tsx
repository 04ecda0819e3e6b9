import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { noAnswer, request } from '../../../../browser/api-client.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { NewFeedToken } from '../../../accounts/feed-tokens/feed-token-schema.ts'
import { FeedAddresses } from '../../../accounts/settings/feed-addresses.tsx'
import { type FeedAct, FeedDialog } from '../../../accounts/settings/feed-dialog.tsx'
import type { SavedSearch } from '../../saved-searches/saved-search-schema.ts'
import { searchesPath } from './readers-pages.ts'

/** The private feed of a saved search: made, shown once, replaced, ended. */
export function SearchFeed({ search, onChanged }: { search: SavedSearch; onChanged: (changed: SavedSearch) => void }) {
  const { id, name, hasFeed } = search
  const [asked, setAsked] = useState<FeedAct>()
  const [made, setMade] = useState<NewFeedToken>()
  const path = `${searchesPath}/${id}/feed`
  const make = async (): Promise<void> => {
    setMade(await request(path, NewFeedToken, { method: 'POST' }))
    onChanged({ ...search, hasFeed: true })
    setAsked(undefined)
  }
  const end = async (): Promise<void> => {
    await request(path, noAnswer, { method: 'DELETE' })
    setMade(undefined)
    onChanged({ ...search, hasFeed: false })
    setAsked(undefined)
  }
  const step = (what: FeedAct, label: string) => (
    <Button look="quiet" label={label} about={`: ${name}`} aria-haspopup="dialog" onClick={() => setAsked(what)} />
  )
  return (
    <>
      {hasFeed ? step('replace', 'Replace feed address') : step('make', 'Create a feed')}
      {hasFeed ? step('end', 'End feed') : null}
      <Announced>
        {made === undefined ? null : (
          <Notice tone="done">
            <p>Copy the address into your reading program now. It can&apos;t be shown again.</p>
          </Notice>
        )}
      </Announced>
      {made === undefined ? null : <FeedAddresses feed={made} />}
      <FeedDialog asked={asked} name="feed of this search" make={make} end={end} onClose={() => setAsked(undefined)} />
    </>
  )
}
