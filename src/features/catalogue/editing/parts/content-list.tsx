import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type MouseEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button, TextLink } from '../../../../ui/button.tsx'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { useNow } from '../../../../browser/use-now.ts'
import type { RangeSelection } from '../../../../ui/list-page/range-selection.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { Spinner } from '../../../../ui/spinner.tsx'
import { isVipType } from '../../item/content-type.ts'
import { pathOfAnyItem } from '../../item/vip-page.ts'
import type { ContentRow } from '../content-schema.ts'
import { itemsPerPage } from './content-filters.ts'
import { typeNames } from '../../item/field-lines.ts'
import { useSelectionKeys } from './use-selection-keys.ts'
import { StandingMark } from './standing-mark.tsx'
import { lapseInWords, reasonsInWords, noticeInWords, restrictionInWords, standingOf } from './content-words.ts'
import type { LiveContentList } from './use-content-list.ts'

/** docs/spec/pages.md#admin-list: before a row is measured, and how many stand ready beyond the edges. */
const rowEstimatePx = 200
const overscan = 5
/** In heights of the window: how near to its end the next page is asked for. */
const nextPageWithin = 1.5

interface RowActions {
  onEdit: (row: ContentRow) => void
  onDelete: (row: ContentRow) => void
}

/** The rows that have come, as many as the window shows; the next page comes as its end draws near. */
export function ContentList({
  list,
  selection,
  onPage,
  onEdit,
  onDelete,
}: RowActions & {
  list: LiveContentList
  selection: RangeSelection
  onPage: (page: number) => void
}) {
  const { rows, hasMore, isFetching, error, more } = list
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const now = useNow()
  // Its functions are read in every render and handed to no component.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowEstimatePx,
    overscan,
    scrollMargin: top,
  })

  // Parts above the list, such as the form, open and close.
  useLayoutEffect(() => {
    const place = (): void => {
      if (box.current !== null) setTop(Math.round(box.current.getBoundingClientRect().top + window.scrollY))
    }
    place()
    const observer = new ResizeObserver(place)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  const shown = virtualizer.getVirtualItems()
  const total = virtualizer.getTotalSize()
  const seenTo = (virtualizer.scrollOffset ?? 0) + (virtualizer.scrollRect?.height ?? 0)
  const left = top + total - seenTo
  const isNear = virtualizer.scrollRect !== null && left < nextPageWithin * virtualizer.scrollRect.height
  useEffect(() => {
    if (isNear && hasMore && !isFetching && error === undefined) more()
  }, [isNear, hasMore, isFetching, error, more, rows.length])

  const first = shown.find(({ end }) => end > (virtualizer.scrollOffset ?? 0)) ?? shown[0]
  const page = Math.floor((first?.index ?? 0) / itemsPerPage) + 1
  useEffect(() => onPage(page), [onPage, page])
  const { chosen, onChoose, onKeyDown } = useRowChoice(rows, selection)
  return (
    <>
      <div ref={box} className="content-list" tabIndex={-1} aria-busy={isFetching}>
        <Spacer height={(shown[0]?.start ?? top) - top} />
        {/* Its keys are those of the boxes in it. */}
        <div role="list" aria-label="Content" onKeyDown={onKeyDown}>
          {/* By its place: with a key of its own for each, a hundred thousand rows are gone through for every page. */}
          {shown.map(({ index }) => {
            const row = rows[index]
            return row === undefined ? null : (
              <div
                key={index}
                ref={virtualizer.measureElement}
                data-index={index}
                role="listitem"
                aria-posinset={index + 1}
                aria-setsize={list.total}
              >
                <Row
                  row={row}
                  now={now}
                  isChosen={chosen.has(row.id)}
                  onChoose={onChoose}
                  onEdit={onEdit}
                  onDelete={onDelete}
                />
              </div>
            )
          })}
        </div>
        <Spacer height={total - ((shown.at(-1)?.end ?? top) - top)} />
      </div>
      {error === undefined ? null : (
        <Notice tone="failed">
          <p>Failed to fetch content. Please try again later.</p>
          <Button look="link" label="Try again" onClick={more} />
        </Notice>
      )}
      {isFetching ? <Spinner /> : hasMore ? null : <p className="work-aside content-end">No more content to load</p>}
    </>
  )
}

/** How a row is chosen by clicks and keys; the functions stay, so that rows are drawn anew only when they change. */
function useRowChoice(rows: readonly ContentRow[], { chosen, ...selection }: RangeSelection) {
  // Asked for by a range alone: of a hundred thousand rows they take time with every page that comes.
  const ids = (): string[] => rows.flatMap(({ id, status }) => (status === 'removed' ? [] : [id]))
  const now = useRef({ ids, ...selection })
  useEffect(() => {
    now.current = { ids, ...selection }
  })
  const onChoose = useCallback((id: string, event: MouseEvent) => {
    if (event.shiftKey) now.current.extendTo(now.current.ids(), id)
    else now.current.toggle(id)
  }, [])
  const onKeyDown = useSelectionKeys(now, chosen.size)
  return { chosen, onChoose, onKeyDown }
}

/** Stands for the rows that are not rendered. The page's policy allows no styles in its markup. */
function Spacer({ height }: { height: number }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (box.current !== null) box.current.style.height = `${Math.max(0, height)}px`
  }, [height])
  return <div ref={box} aria-hidden="true" />
}

const Row = memo(function Row({
  row,
  now,
  isChosen,
  onChoose,
  onEdit,
  onDelete,
}: RowActions & {
  row: ContentRow
  now: number
  isChosen: boolean
  onChoose: (id: string, event: MouseEvent) => void
}) {
  const { name, creators, category, contentType, status, postDate, lapsesAt } = row
  const standing = standingOf(row, now)
  const isLive = standing === 'published'
  const noticed = noticeInWords(row)
  const trouble =
    noticed ??
    (status === 'restricted'
      ? restrictionInWords(row)
      : status === 'draft'
        ? (reasonsInWords(row.reasons) ?? 'Ready to be published.')
        : undefined)
  return (
    <article className={`content-row is-${standing}${isChosen ? ' is-chosen' : ''}`}>
      <label className="content-choose">
        <input
          type="checkbox"
          className="content-box"
          data-id={row.id}
          checked={isChosen}
          disabled={status === 'removed'}
          // In place of a change: it says whether Shift was held.
          onClick={(event) => onChoose(row.id, event)}
          readOnly
        />
        <span className="sr-only">{`Select ${name}`}</span>
      </label>
      <StandingMark standing={standing} />
      <div className="content-what">
        <h2>
          {isLive ? (
            <TextLink to={pathOfAnyItem(row)}>
              <bdi>{name}</bdi>
            </TextLink>
          ) : (
            <bdi>{name}</bdi>
          )}
          {creators === undefined ? null : <span className="content-by">{creators.join('; ')}</span>}
        </h2>
        <p className="content-facts">
          <span>{dayInWords(postDate)}</span>
          <span>{category}</span>
          {isVipType(contentType) ? <span>{typeNames[contentType]}</span> : null}
          {lapsesAt === null ? null : <span>{lapseInWords(lapsesAt)}</span>}
        </p>
        {trouble === undefined ? null : (
          <p className="content-trouble">
            {trouble}
            {noticed === undefined ? null : (
              <>
                {' '}
                <TextLink to="/admin/notices">Notices</TextLink>
              </>
            )}
          </p>
        )}
      </div>
      <div className="content-do">
        <Button
          label="Edit"
          about={`: ${name}`}
          data-edit={row.id}
          disabled={status === 'removed'}
          onClick={() => onEdit(row)}
        />
        <Button
          look="quiet"
          label="Delete"
          about={`: ${name}`}
          disabled={status === 'removed'}
          onClick={() => onDelete(row)}
        />
      </div>
    </article>
  )
})
