import { type ReactNode, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { noAnswer, request } from '../../../../browser/api-client.ts'
import { fetches, refetchAnswers, useApiMutation, useApiQuery } from '../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { SavedSearch, SavedSearches } from '../../saved-searches/saved-search-schema.ts'
import { Waiting } from './remembered-list.tsx'
import { searchesPath } from './readers-pages.ts'
import { SearchCard } from './search-card.tsx'

export function SearchList({ empty }: { empty: ReactNode }) {
  const { data, error, isFetching, refetch, setData } = useApiQuery(fetches(searchesPath, SavedSearches))
  const [ended, setEnded] = useState<SavedSearch>()
  const undo = useApiMutation<SavedSearch, SavedSearch>({
    async mutationFn({ list, query, name, digest, hour, timeZone }) {
      const made = await request(searchesPath, SavedSearch, { method: 'POST', body: { list, query, name } })
      return request(`${searchesPath}/${made.id}`, SavedSearch, { method: 'PUT', body: { digest, hour, timeZone } })
    },
    onSuccess() {
      setEnded(undefined)
      refetchAnswers(searchesPath)
    },
  })
  const end = useApiMutation<undefined, SavedSearch>({
    mutationFn: ({ id }) => request(`${searchesPath}/${id}`, noAnswer, { method: 'DELETE' }),
    onSuccess(_answer, search) {
      setEnded(search)
      setData((known) => known && { ...known, searches: known.searches.filter(({ id }) => id !== search.id) })
    },
  })
  if (data === undefined)
    return (
      <Waiting
        error={error}
        isFetching={isFetching}
        failed="Your saved searches could not be loaded."
        onRetry={refetch}
      />
    )
  const failure = (undo.error ?? end.error)?.message
  const show = (changed: SavedSearch): void =>
    setData(
      (known) => known && { ...known, searches: known.searches.map((one) => (one.id === changed.id ? changed : one)) },
    )
  return (
    <>
      <Announced>
        {ended === undefined ? null : (
          <Notice tone="done">
            {`“${ended.name}” has ended. `}
            <Button look="link" label="Undo" onClick={() => undo.mutate(ended)} />
          </Notice>
        )}
        {failure === undefined ? null : <Notice tone="failed">{failure}</Notice>}
      </Announced>
      {data.searches.length === 0 ? empty : null}
      {data.isConfirmed || data.searches.every(({ digest }) => digest === 'off') ? null : (
        <Notice tone="calm">Digests are sent once you have confirmed your address, in your account.</Notice>
      )}
      {data.searches.map((search) => (
        <SearchCard key={search.id} search={search} onChanged={show} onEnd={() => end.mutate(search)} />
      ))}
    </>
  )
}
