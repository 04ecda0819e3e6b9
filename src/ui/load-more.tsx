import { useLayoutEffect, useRef, useState } from 'react'
import { Notice } from './notice.tsx'

/**
 * Goes on in a list, below what is there of it. One button loads more and tries again, so that it keeps the focus
 * meanwhile; at the end of the list the focus goes to the sentence in its place.
 */
export function LoadMore({
  hasMore,
  isFetching,
  error,
  failure = error?.message,
  onMore,
}: {
  hasMore: boolean
  isFetching: boolean
  error: { message: string } | undefined
  /** Said in place of the error's own sentence. */
  failure?: string | undefined
  onMore: () => void
}) {
  const [wasUsed, setWasUsed] = useState(false)
  const end = useRef<HTMLParagraphElement>(null)
  const isAtEnd = !hasMore && error === undefined
  useLayoutEffect(() => {
    // Only if the button had it: a reader who has gone elsewhere stays there.
    if (isAtEnd && wasUsed && document.activeElement === document.body) end.current?.focus({ preventScroll: true })
  }, [isAtEnd, wasUsed])
  if (isAtEnd) {
    return wasUsed ? (
      <p ref={end} className="work-aside" tabIndex={-1}>
        That is the end of the list.
      </p>
    ) : null
  }
  return (
    <>
      {error === undefined ? null : <Notice tone="failed">{failure}</Notice>}
      <p>
        <button
          type="button"
          className="button"
          aria-disabled={isFetching}
          onClick={() => {
            if (isFetching) return
            setWasUsed(true)
            onMore()
          }}
        >
          {isFetching ? 'Loading...' : error === undefined ? 'Load more' : 'Try again'}
        </button>
      </p>
    </>
  )
}
