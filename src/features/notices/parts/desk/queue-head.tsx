import { TextLink } from '../../../../ui/button.tsx'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { counted } from '../../../../platform/counted.ts'
import type { AddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { useIsOnline } from '../../../../ui/use-is-online.ts'
import { type NoticesForDesk, queueStates } from '../../desk/desk-schema.ts'
import { stateLabels } from './desk-words.ts'
import { searchOfNotices, type WantedNotices } from './notice-paths.ts'

export function QueueHead({
  wanted,
  filters,
  counts,
  answeredAt,
}: {
  wanted: WantedNotices
  filters: AddressFilters
  /** Undefined before the first answer. */
  counts: NoticesForDesk['counts'] | undefined
  answeredAt: number
}) {
  return (
    <>
      <div className="desk-lists">
        <div className="segments" role="group" aria-label="Notices">
          {queueStates.map((state) => (
            <button
              key={state}
              type="button"
              aria-pressed={state === wanted.state}
              onClick={() => filters.set('state', state === 'open' ? '' : state)}
            >
              {state === 'open' || state === 'incomplete'
                ? `${stateLabels[state]} (${counts?.[state].toLocaleString('en-US') ?? '–'})`
                : stateLabels[state]}
            </button>
          ))}
        </div>
        {counts === undefined ? null : <Standing counts={counts} answeredAt={answeredAt} />}
      </div>
      {counts === undefined ? null : <Offline answeredAt={answeredAt} />}
      {wanted.network === '' ? null : (
        <p>
          {`Only notices from the same network as ${wanted.network}. A network is kept for 14 days. `}
          <TextLink to={{ search: searchOfNotices({ ...wanted, network: '' }) }}>Show all</TextLink>
        </p>
      )}
    </>
  )
}

function Standing({
  counts: { overdue, appeals, counterNotices },
  answeredAt,
}: {
  counts: NoticesForDesk['counts']
  answeredAt: number
}) {
  const words = [
    ...(overdue === 0 ? [] : [`${overdue.toLocaleString('en-US')} overdue`]),
    ...(appeals === 0 ? [] : [`${counted(appeals, 'appeal')} to answer`]),
    ...(counterNotices === 0 ? [] : [counted(counterNotices, 'open counter-notice')]),
    `as of ${timeInWords(new Date(answeredAt).toISOString())}`,
  ].join(', ')
  return <p className="work-aside">{`${words.charAt(0).toUpperCase()}${words.slice(1)}.`}</p>
}

function Offline({ answeredAt }: { answeredAt: number }) {
  return useIsOnline() ? null : (
    <Notice tone="calm">
      {`You are offline. This list is from ${timeInWords(new Date(answeredAt).toISOString())}. The times left keep counting.`}
    </Notice>
  )
}
