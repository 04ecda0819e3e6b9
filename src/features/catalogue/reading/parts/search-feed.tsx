import { useState } from 'react'
import { noAnswer, request, usualSentence } from '../../../../browser/api-client.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { NewFeedToken } from '../../../accounts/feed-tokens/feed-token-schema.ts'
import { FeedAddresses } from '../../../accounts/settings/feed-addresses.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import type { SavedSearch } from '../../saved-searches/saved-search-schema.ts'
import { searchesPath } from './readers-pages.ts'

const texts = {
  make: {
    title: 'Make a feed of this search',
    label: 'Make it',
    labelWhileSending: 'Making it...',
    sentence:
      'Your reading program gets an address with the newest entries of this search. It is shown once: give it to nobody.',
  },
  replace: {
    title: 'Replace the address',
    label: 'Replace it',
    labelWhileSending: 'Replacing it...',
    sentence: 'The address from before stops working at once. Programs that read it need the new one.',
  },
  end: {
    title: 'End the feed of this search',
    label: 'End it',
    labelWhileSending: 'Ending it...',
    sentence: 'Programs that read it get nothing any more. You can make a new one at any time.',
  },
}

/** The private feed of a saved search: made, shown once, replaced, ended. */
export function SearchFeed({ search, onChanged }: { search: SavedSearch; onChanged: (changed: SavedSearch) => void }) {
  const { id, name, hasFeed } = search
  const [asked, setAsked] = useState<keyof typeof texts>()
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
  const step = (what: keyof typeof texts, label: string) => (
    <button type="button" className="button button-quiet" aria-haspopup="dialog" onClick={() => setAsked(what)}>
      {label}
      <span className="sr-only">{`: ${name}`}</span>
    </button>
  )
  return (
    <>
      {hasFeed ? step('replace', 'Replace feed address') : step('make', 'Make a feed')}
      {hasFeed ? step('end', 'End feed') : null}
      <Announced>
        {made === undefined ? null : (
          <Notice tone="done">
            <p>Copy the address that your program reads now. It can&apos;t be shown again.</p>
          </Notice>
        )}
      </Announced>
      {made === undefined ? null : <FeedAddresses feed={made} />}
      {asked === undefined ? null : (
        <ConfirmDialog
          {...texts[asked]}
          otherwise={usualSentence}
          act={asked === 'end' ? end : make}
          onClose={() => setAsked(undefined)}
        >
          <p>{texts[asked].sentence}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
