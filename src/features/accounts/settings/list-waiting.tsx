import type { RefObject } from 'react'
import type { ApiQuery } from '../../../browser/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'

/**
 * The placeholder of a list: it is loading, or could not be loaded.
 * @param sentence says that the list could not be loaded
 * @param heading takes the focus when the button disappears
 */
export function ListWaiting({
  query: { data, error, isFetching, refetch },
  sentence,
  heading,
}: {
  query: Pick<ApiQuery<unknown>, 'data' | 'error' | 'isFetching' | 'refetch'>
  sentence: string
  heading: RefObject<HTMLHeadingElement | null>
}) {
  if (error !== undefined && !isFetching) {
    const retry = (): void => {
      heading.current?.focus()
      refetch()
    }
    return (
      <div className="notice" role="alert">
        <p>{sentence}</p>
        <Button label="Try again" onClick={retry} />
      </div>
    )
  }
  return data !== undefined ? null : (
    <div className="sessions-waiting">
      <Spinner />
    </div>
  )
}
