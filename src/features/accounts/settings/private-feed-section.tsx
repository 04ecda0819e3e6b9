import { type RefObject, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Moment } from '../../../browser/moment.tsx'
import { noAnswer, request } from '../../../browser/api-client.ts'
import { dayInWords } from '../../../browser/format-instant.ts'
import { type ApiQuery, fetches, useApiQuery } from '../../../browser/queries.ts'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { FeedToken, NewFeedToken } from '../feed-tokens/feed-token-schema.ts'
import type { AccountPageProps } from './account-page.ts'
import { FeedAddresses } from './feed-addresses.tsx'
import { type FeedAct, FeedDialog } from './feed-dialog.tsx'
import { ListWaiting } from './list-waiting.tsx'
import { AccountPart } from './settings-section.tsx'

const path = '/account/feed-token'

/** The addresses under which a reading program follows what the member may see: made, shown once, replaced, ended. */
export function PrivateFeedSection({ profile: { hasPrivateFeed, isVip }, onStale }: AccountPageProps<unknown>) {
  const query = useApiQuery({ ...fetches(path, FeedToken), isEnabled: hasPrivateFeed })
  const heading = useRef<HTMLHeadingElement>(null)
  const [asked, setAsked] = useState<FeedAct>()
  const [made, setMade] = useState<NewFeedToken>()
  const [hasEnded, setHasEnded] = useState(false)

  const make = async (): Promise<void> => {
    const feed = await request(path, NewFeedToken, { method: 'POST' })
    setMade(feed)
    setHasEnded(false)
    if (hasPrivateFeed) query.refetch()
    finish()
  }
  const end = async (): Promise<void> => {
    await request(path, noAnswer, { method: 'DELETE' })
    setMade(undefined)
    setHasEnded(true)
    finish()
  }
  const finish = (): void => {
    setAsked(undefined)
    onStale()
    heading.current?.focus()
  }

  return (
    <AccountPart title="Private Feed" titleRef={heading}>
      <p>
        New entries in your reading program{isVip ? ', VIP entries among them while you are a VIP' : ''}. Its address
        works without a password, so keep it private. Changing your password turns it off.
      </p>
      {hasPrivateFeed ? (
        <Facts
          query={query}
          heading={heading}
          onRetry={() => {
            query.refetch()
            onStale()
          }}
        />
      ) : null}
      <Announced>
        {made === undefined ? null : (
          <Notice tone="done">
            <p>Copy the address into your reading program now. It can&apos;t be shown again.</p>
          </Notice>
        )}
        {hasEnded ? (
          <Notice tone="done">
            <p>Your private feed has ended.</p>
          </Notice>
        ) : null}
      </Announced>
      {made === undefined ? null : <FeedAddresses feed={made} />}
      <div className="button-row account-steps">
        {hasPrivateFeed ? (
          <>
            <Button label="Replace address" aria-haspopup="dialog" onClick={() => setAsked('replace')} />
            <Button look="quiet" label="End private feed" aria-haspopup="dialog" onClick={() => setAsked('end')} />
          </>
        ) : (
          <Button label="Create a private feed" aria-haspopup="dialog" onClick={() => setAsked('make')} />
        )}
      </div>
      <FeedDialog asked={asked} name="private feed" make={make} end={end} onClose={() => setAsked(undefined)} />
    </AccountPart>
  )
}

/** When it was made and last read. */
function Facts({
  query,
  heading,
  onRetry,
}: {
  query: ApiQuery<FeedToken>
  heading: RefObject<HTMLHeadingElement | null>
  onRetry: () => void
}) {
  const { data, answeredAt } = query
  return (
    <>
      <ListWaiting
        query={{ ...query, refetch: onRetry }}
        sentence="Your private feed could not be loaded."
        heading={heading}
      />
      {data === undefined ? null : (
        <p>
          Created on <time dateTime={data.createdAt}>{dayInWords(data.createdAt)}</time>,{' '}
          {data.lastUsedAt === null ? (
            'not read yet.'
          ) : (
            <>
              last read <Moment at={data.lastUsedAt} now={answeredAt} isToTheHour />.
            </>
          )}
        </p>
      )}
    </>
  )
}
