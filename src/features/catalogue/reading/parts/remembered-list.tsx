import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { type ApiError, noAnswer, request } from '../../../../browser/api-client.ts'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { useKeysetPages } from '../../../../browser/keyset-pages.ts'
import { refetchAnswers, useApiMutation } from '../../../../browser/queries.ts'
import { LoadMore } from '../../../../ui/load-more.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { RetryButton } from '../../../../ui/retry-button.tsx'
import { WorkWaiting } from '../../../../ui/work-page.tsx'
import { type RememberedEntry, RememberedEntries } from '../../saved/saved-schema.ts'
import { languageOf } from '../../parts/list/language-of.ts'

export interface RememberedTexts {
  failed: string
  /** Before the day: 'Saved'. */
  when: string
  takeOut: string
  takenOut: string
}

export function RememberedList({
  path,
  texts,
  empty,
  emptyWhileOff,
  Tools,
  putBack,
  onShown,
}: {
  path: string
  texts: RememberedTexts
  empty: ReactNode
  /** The same while nothing is remembered any more. */
  emptyWhileOff?: ReactNode
  Tools?: (list: { keepsHistory: boolean; isEmpty: boolean; reload: () => void }) => ReactNode
  /** The call that undoes a taking out, where there is one. */
  putBack?: (entry: RememberedEntry) => Promise<unknown>
  /** Called with all that has come, again when that changes. */
  onShown?: (entries: readonly RememberedEntry[]) => void
}) {
  const list = useKeysetPages(path, RememberedEntries)
  const { pages, error, isFetching, hasMore, more, setPages, reset } = list
  const [out, setOut] = useState<RememberedEntry>()
  const place = useRef<HTMLDivElement>(null)
  const takeOut = useApiMutation<undefined, RememberedEntry>({
    mutationFn: ({ slug }) => request(`${path}/${slug}`, noAnswer, { method: 'DELETE' }),
    onSuccess(_answer, entry) {
      setOut(entry)
      setPages((page) => ({ ...page, entries: page.entries.filter(({ slug }) => slug !== entry.slug) }))
      // The button that was pressed is gone.
      place.current?.focus()
    },
  })
  const undo = useApiMutation<unknown, RememberedEntry>({
    mutationFn: (entry) => putBack?.(entry) ?? Promise.resolve(),
    onSuccess() {
      setOut(undefined)
      reset()
    },
  })
  useEffect(() => {
    if (pages.length > 0) onShown?.(pages.flatMap((page) => page.entries))
  }, [pages, onShown])
  const failure = (undo.error ?? takeOut.error)?.message
  const [first] = pages
  if (first === undefined) return <Waiting error={error} isFetching={isFetching} failed={texts.failed} onRetry={more} />
  const entries = pages.flatMap((page) => page.entries)
  const reload = (): void => {
    setOut(undefined)
    refetchAnswers(path)
    reset()
  }
  return (
    <div ref={place} tabIndex={-1}>
      {Tools === undefined ? null : (
        <Tools keepsHistory={first.keepsHistory} isEmpty={entries.length === 0} reload={reload} />
      )}
      <Announced>
        {out === undefined ? null : (
          <Notice tone="done">
            {`${texts.takenOut} `}
            {putBack === undefined || out.path === null ? null : (
              <Button look="link" label="Undo" onClick={() => undo.mutate(out)} />
            )}
          </Notice>
        )}
        {failure === undefined ? null : <Notice tone="failed">{failure}</Notice>}
      </Announced>
      {entries.length === 0 && !hasMore ? (first.keepsHistory ? empty : (emptyWhileOff ?? empty)) : null}
      {entries.length === 0 ? null : (
        <ul className="readers-list">
          {entries.map((entry) => (
            <Row
              key={`${entry.slug} ${entry.host ?? ''}`}
              entry={entry}
              texts={texts}
              onTakeOut={() => takeOut.mutate(entry)}
            />
          ))}
        </ul>
      )}
      <LoadMore hasMore={hasMore} isFetching={isFetching} error={error} failure={texts.failed} onMore={more} />
    </div>
  )
}

function Row({
  entry: { name, path, at, host },
  texts,
  onTakeOut,
}: {
  entry: RememberedEntry
  texts: RememberedTexts
  onTakeOut: () => void
}) {
  return (
    <li>
      <div>
        {name === null || path === null ? (
          <p className="readers-name is-gone">An entry that is no longer shown</p>
        ) : (
          <p className="readers-name" lang={languageOf(name)} dir="auto">
            <Link to={path}>{name}</Link>
          </p>
        )}
        <p className="readers-facts">
          {`${texts.when} `}
          <time dateTime={at}>{dayInWords(at)}</time>
          {host === null ? null : ` from ${host}`}
        </p>
      </div>
      <Button
        look="quiet"
        label={texts.takeOut}
        about={`: ${name ?? 'an entry that is no longer shown'}`}
        onClick={onTakeOut}
      />
    </li>
  )
}

/** In place of a list that is not there yet. */
export function Waiting({
  error,
  isFetching,
  failed,
  onRetry,
}: {
  error: ApiError | undefined
  isFetching: boolean
  failed: string
  onRetry: () => void
}) {
  if (error === undefined) return <WorkWaiting />
  return (
    <Notice tone="failed">
      <p>{failed}</p>
      <p>
        <RetryButton isFetching={isFetching} onRetry={onRetry} />
      </p>
    </Notice>
  )
}
