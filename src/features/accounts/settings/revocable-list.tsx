import { type ReactNode, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { ApiError, noAnswer, request } from '../../../browser/api-client.ts'
import { agoInWords, dayInWords, timeInWords } from '../../../browser/format-instant.ts'
import { type ApiQuery, useApiMutation } from '../../../browser/queries.ts'
import { ListWaiting } from './list-waiting.tsx'
import { AccountPart } from './settings-section.tsx'
import './sessions-list.css'

export interface Revocable {
  id: string
  device: string
  createdAt: string
  lastAt: string
  isCurrent: boolean
}

export interface RevocableTexts {
  title: string
  intro: string
  failed: string
  none: string
  /** Before the two times. */
  since: string
  last: string
  end: string
  endCurrent: string
  endOthers: string
  ending: string
  /** Tells apart for screen readers which one a button ends. */
  which: (device: string, ago: string) => string
  ended: (device: string) => string
  endedOthers: string
}

/** One of them, or all but that of this device. */
type Revoking = Revocable | 'others'

/** A list of the account page, each row with a button that ends it, and one button for all but this device. */
export function RevocableList({
  path,
  query,
  rows,
  texts,
  onEnded,
  onEndCurrent,
}: {
  /** The path that ends all others, and with an id one of them. */
  path: string
  query: Pick<ApiQuery<unknown>, 'data' | 'answeredAt' | 'error' | 'isFetching' | 'refetch'>
  /** Undefined until they are loaded. */
  rows: readonly Revocable[] | undefined
  texts: RevocableTexts
  /** Takes those that have ended off the list. */
  onEnded: (isEnded: (row: Pick<Revocable, 'id' | 'isCurrent'>) => boolean) => void
  /** Ends this device's entry another way. */
  onEndCurrent?: () => void
}) {
  const end = useApiMutation({
    mutationFn: async (what: Revoking) => {
      try {
        await request(what === 'others' ? path : `${path}/${what.id}`, noAnswer, { method: 'DELETE' })
      } catch (failure) {
        // An ended entry is as good as ended now.
        if (!(failure instanceof ApiError && failure.status === 404)) throw failure
      }
    },
    onSuccess: (_answer, what) => onEnded((row) => isMeant(row, what)),
  })
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that was pressed is gone.
  const endIt = (what: Revoking): void => end.mutate(what, { onSuccess: () => heading.current?.focus() })

  return (
    <AccountPart title={texts.title} titleRef={heading}>
      <p>{texts.intro}</p>
      <ListWaiting query={query} sentence={texts.failed} heading={heading} />
      {rows?.length === 0 ? <p>{texts.none}</p> : null}
      {rows === undefined || rows.length === 0 ? null : (
        <ul className="sessions">
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              now={query.answeredAt}
              texts={texts}
              isEnding={end.isPending && end.variables !== 'others' && isMeant(row, end.variables)}
              onEnd={() => {
                if (row.isCurrent && onEndCurrent !== undefined) onEndCurrent()
                else endIt(row)
              }}
            />
          ))}
        </ul>
      )}
      <Announced>
        {end.error === null ? null : <Notice tone="failed">{end.error.message}</Notice>}
        {end.isSuccess ? <Notice tone="done">{endedInWords(end.variables, texts)}</Notice> : null}
      </Announced>
      {rows?.some(({ isCurrent }) => !isCurrent) === true ? (
        <div className="button-row account-steps">
          <Button
            label={end.isPending && end.variables === 'others' ? texts.ending : texts.endOthers}
            isBusy={end.isPending}
            onClick={() => endIt('others')}
          />
        </div>
      ) : null}
    </AccountPart>
  )
}

function Row({
  row: { device, createdAt, lastAt, isCurrent },
  now,
  texts,
  isEnding,
  onEnd,
}: {
  row: Revocable
  now: number
  texts: RevocableTexts
  isEnding: boolean
  onEnd: () => void
}) {
  const ago = agoInWords(lastAt, now)
  return (
    <li>
      <div>
        <p className="session-device">
          {device}
          {isCurrent ? <Badge>This device</Badge> : null}
        </p>
        <p className="session-times">
          <Time before={texts.since} at={createdAt}>
            {dayInWords(createdAt)}
          </Time>
          <Time before={texts.last} at={lastAt}>
            {ago}
          </Time>
        </p>
      </div>
      <button type="button" className="button button-quiet" aria-disabled={isEnding} onClick={onEnd}>
        {isEnding ? texts.ending : isCurrent ? texts.endCurrent : texts.end}
        {isCurrent ? null : <span className="sr-only">{texts.which(device, ago)}</span>}
      </button>
    </li>
  )
}

function Time({ before, at, children }: { before: string; at: string; children: ReactNode }) {
  return (
    <span>
      {before}{' '}
      <time dateTime={at} title={timeInWords(at)}>
        {children}
      </time>
    </span>
  )
}

function isMeant(row: Pick<Revocable, 'id' | 'isCurrent'>, what: Revoking | undefined): boolean {
  if (what === undefined) return false
  return what === 'others' ? !row.isCurrent : row.id === what.id
}

function endedInWords(what: Revoking | undefined, { ended, endedOthers }: RevocableTexts): string {
  return what === undefined || what === 'others' ? endedOthers : ended(what.device)
}
