import { type FormEvent, useId, useState } from 'react'
import { Button, TextLink } from '../../../../ui/button.tsx'
import { request } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { longestSearchName, SavedSearch } from '../../saved-searches/saved-search-schema.ts'
import { SearchFeed } from './search-feed.tsx'
import { searchesPath } from './readers-pages.ts'

const rhythms = [
  { value: 'off', label: 'No digest' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every Monday' },
]

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

export function SearchCard({
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
