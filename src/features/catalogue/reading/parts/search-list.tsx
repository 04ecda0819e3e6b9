import { type ReactNode, useState, type FormEvent, useId } from 'react'
import { Button, TextLink } from '../../../../ui/button.tsx'
import { noAnswer, request } from '../../../../browser/api-client.ts'
import { fetches, refetchAnswers, useApiMutation, useApiQuery } from '../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { SavedSearch, SavedSearches, longestSearchName } from '../../saved-searches/saved-search-schema.ts'
import { Waiting } from './remembered-list.tsx'
import { searchesPath } from './readers-pages.ts'
import { SelectField } from '../../../../ui/select-field.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { NewFeedToken } from '../../../accounts/feed-tokens/feed-token-schema.ts'
import { FeedAddresses } from '../../../accounts/settings/feed-addresses.tsx'
import { type FeedAct, FeedDialog } from '../../../accounts/settings/feed-dialog.tsx'

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

const rhythms = [
  { value: 'off', label: 'No digest' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every Monday' },
]

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

function SearchCard({
  search,
  onChanged,
  onEnd,
}: {
  search: SavedSearch
  onChanged: (changed: SavedSearch) => void
  onEnd: () => void
}) {
  const { id, name, path, words, digest, hour, timeZone, nextDigestAt } = search
  const titleId = useId()
  const [isRenaming, setRenaming] = useState(false)
  const change = useApiMutation<SavedSearch, Record<string, string | number>>({
    mutationFn: (body) => request(`${searchesPath}/${id}`, SavedSearch, { method: 'PUT', body }),
    onSuccess(changed) {
      setRenaming(false)
      onChanged(changed)
    },
  })
  // As it will be, while it is on its way.
  const wanted = change.isPending ? change.variables : {}
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const rename = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('name')
    change.mutate({ name: typeof typed === 'string' ? typed : '' })
  }
  return (
    <article className="search-card" aria-labelledby={titleId}>
      <div>
        <h2 id={titleId}>
          <TextLink to={path}>{name}</TextLink>
        </h2>
        {words === name ? null : <p className="readers-facts">{words}</p>}
      </div>
      {isRenaming ? (
        <form className="search-rename" onSubmit={rename}>
          <TextField name="name" label="Name" defaultValue={name} maxLength={longestSearchName} required />
          <button type="submit" className="button" aria-disabled={change.isPending}>
            Rename
          </button>
          <Button look="quiet" label="Cancel" onClick={() => setRenaming(false)} />
        </form>
      ) : null}
      <form className="search-digest" onSubmit={(event) => event.preventDefault()}>
        <SelectField
          name="digest"
          label="Digest by email"
          options={rhythms}
          value={String(wanted['digest'] ?? digest)}
          onChange={({ currentTarget }) => change.mutate({ digest: currentTarget.value, timeZone: own })}
        />
        {digest === 'off' ? null : (
          <SelectField
            name="hour"
            label="At"
            options={hours}
            value={String(wanted['hour'] ?? hour)}
            onChange={({ currentTarget }) => change.mutate({ hour: Number(currentTarget.value), timeZone: own })}
          />
        )}
      </form>
      <Announced>
        {nextDigestAt === null ? null : (
          <p className="readers-facts">
            {'Next on '}
            <time dateTime={nextDigestAt}>{inZone(nextDigestAt, timeZone)}</time>
            {`, ${timeZone.replaceAll('_', ' ')} time, if there is something new.`}
          </p>
        )}
        {change.error === null ? null : <Notice tone="failed">{change.error.message}</Notice>}
      </Announced>
      <div className="search-steps">
        {isRenaming ? null : (
          <Button look="quiet" label="Rename" about={`: ${name}`} onClick={() => setRenaming(true)} />
        )}
        <SearchFeed search={search} onChanged={onChanged} />
        <Button look="quiet" label="End" about={`: ${name}`} onClick={onEnd} />
      </div>
    </article>
  )
}

/** 'Monday, November 30 at 08:00' by the clock of the reader. */
function inZone(instant: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
  return format.format(new Date(instant))
}

/** The private feed of a saved search: made, shown once, replaced, ended. */
function SearchFeed({ search, onChanged }: { search: SavedSearch; onChanged: (changed: SavedSearch) => void }) {
  const { id, name, hasFeed } = search
  const [asked, setAsked] = useState<FeedAct>()
  const [made, setMade] = useState<NewFeedToken>()
  const path = `${searchesPath}/${id}/feed`
  const make = async (): Promise<void> => {
    setMade(await request(path, NewFeedToken, { method: 'POST' }))
    onChanged({ ...search, hasFeed: true })
    setAsked(undefined)
  }
  const end = async (): Promise<void> => {
    await request(path, noAnswer, { method: 'DELETE' })
    setMade(undefined)
    onChanged({ ...search, hasFeed: false })
    setAsked(undefined)
  }
  const step = (what: FeedAct, label: string) => (
    <Button look="quiet" label={label} about={`: ${name}`} aria-haspopup="dialog" onClick={() => setAsked(what)} />
  )
  return (
    <>
      {hasFeed ? step('replace', 'Replace feed address') : step('make', 'Create a feed')}
      {hasFeed ? step('end', 'End feed') : null}
      <Announced>
        {made === undefined ? null : (
          <Notice tone="done">
            <p>Copy the address into your reading program now. It can&apos;t be shown again.</p>
          </Notice>
        )}
      </Announced>
      {made === undefined ? null : <FeedAddresses feed={made} />}
      <FeedDialog asked={asked} name="feed of this search" make={make} end={end} onClose={() => setAsked(undefined)} />
    </>
  )
}
