import type { InfiniteData, QueryClient } from '@tanstack/react-query'

/** Changes the pages of a list that are there, also those that a page on its way will stand behind. */
export function changePages<T>(client: QueryClient, queryKey: readonly unknown[], change: (page: T) => T): void {
  const changed = new Map<T, T>()
  const apply = (): void => {
    client.setQueryData<InfiniteData<T>>(
      queryKey,
      (known) => known && { ...known, pages: known.pages.map((page) => changed.get(page) ?? page) },
    )
  }
  for (const page of client.getQueryData<InfiniteData<T>>(queryKey)?.pages ?? []) changed.set(page, change(page))
  apply()
  const { fetchStatus, fetchMeta } = client.getQueryState(queryKey) ?? {}
  if (fetchStatus !== 'fetching') return
  // The next page brings those before it along, as they were when it was asked for. A list that is asked for again may
  // have pages of before the change already: it begins anew.
  const isNextPage = fetchMeta?.fetchMore?.direction !== undefined
  void client
    .refetchQueries({ queryKey, exact: true }, { cancelRefetch: !isNextPage })
    .then(isNextPage ? apply : undefined)
}
