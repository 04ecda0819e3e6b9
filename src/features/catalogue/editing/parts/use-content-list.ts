import { useMemo } from 'react'
import { ApiError, request } from '../../../../browser/api-client.ts'
import { useApiPages } from '../../../../browser/queries.ts'
import { decodePayload } from '../../item/encoding.ts'
import { ContentList, type ContentRow, EncodedAnswer } from '../content-schema.ts'
import { type ContentFilters, listPath } from './content-filters.ts'

interface NextPage {
  page: number
  after: string
}

export function useContentList(filters: ContentFilters) {
  const path = listPath(filters)
  const { pages, error, isFetching, hasMore, more, reset, setPages } = useApiPages<ContentList, NextPage>({
    path,
    async fetch(next, token, signal) {
      const address = next === undefined ? path : `${path}&page=${next.page}&after=${next.after}`
      const { data } = await request(address, EncodedAnswer, { token, signal })
      // Nine hundred rows in steps: what is scrolled meanwhile is painted in between.
      await nextTask()
      const read = decoded(data)
      await nextTask()
      const list = ContentList.safeParse(read)
      if (!list.success) throw new ApiError('unreadable')
      await nextTask()
      return list.data
    },
    nextAfter(last, all) {
      const after = last.data.at(-1)?.id
      return after !== undefined && all.length < last.totalPages ? { page: all.length + 1, after } : undefined
    },
  })
  const rows = useMemo(() => pages.flatMap(({ data }) => data), [pages])
  const last = pages.at(-1)
  return {
    rows,
    total: last?.total ?? 0,
    /** All but those that were removed. */
    editable: last?.editable ?? 0,
    totalPages: last?.totalPages ?? 0,
    isLoaded: last !== undefined,
    isFetching,
    hasMore,
    error,
    more,
    reset,
    /** Shows a row as it is now; undefined takes it out. */
    replace(id: string, row: ContentRow | undefined): void {
      const isGone = row === undefined && rows.some((one) => one.id === id)
      setPages((page) => ({
        ...page,
        // How many pages there are was said of the whole list: the last is still to be asked for.
        total: isGone ? Math.max(0, page.total - 1) : page.total,
        editable: isGone ? Math.max(0, page.editable - 1) : page.editable,
        data: page.data.some((one) => one.id === id)
          ? page.data.flatMap((one) => (one.id !== id ? [one] : row === undefined ? [] : [row]))
          : page.data,
      }))
    },
  }
}

export type LiveContentList = ReturnType<typeof useContentList>

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

function decoded(data: string): unknown {
  try {
    return decodePayload(data)
  } catch {
    return undefined
  }
}
