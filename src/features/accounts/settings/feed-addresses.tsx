import type { NewFeedToken } from '../feed-tokens/feed-token-schema.ts'
import { CopyButton } from './factors/copy-button.tsx'
import './feed-addresses.css'

export function FeedAddresses({ feed: { rss, json } }: { feed: NewFeedToken }) {
  return (
    <dl className="feed-addresses">
      <FeedAddress format="RSS" address={rss} />
      <FeedAddress format="JSON Feed" address={json} />
    </dl>
  )
}

function FeedAddress({ format, address }: { format: string; address: string }) {
  return (
    <div>
      <dt>{format}</dt>
      <dd>
        <code>{address}</code>
        <CopyButton text={address} label={`Copy ${format} address`} />
      </dd>
    </div>
  )
}
