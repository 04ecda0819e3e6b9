import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Icon } from '../../../../ui/icon.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { RetryButton } from '../../../../ui/retry-button.tsx'
import { useLater } from '../../../../ui/use-later.ts'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { AdminSearch, longestQuery } from '../../admin-search/admin-search-schema.ts'
import { findPlaces, type Place } from '../../admin-search/places.ts'

const pauseMs = 150

/** A combobox over entries, members, notices, settings, pages and actions (ARIA: combobox with a list box). */
export function SearchBox({ onLeave }: { onLeave: () => void }) {
  const id = useId()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState(0)
  const { text, setText, groups, isWaiting, error, refetch, isFetching } = useSearch()
  const results = groups.flatMap((group) => group.results)
  const active = Math.min(chosen, results.length - 1)

  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter and arrows may belong to an input method.
    if (event.nativeEvent.isComposing || results.length === 0) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setChosen((active + step + results.length) % results.length)
    else if (event.key === 'Enter' && !event.repeat) {
      const result = results[active]
      onLeave()
      if (result !== undefined) void navigate(result.to)
    } else return
    event.preventDefault()
  }

  return (
    <div className="search-box">
      <div className="search-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Find an entry, member, notice or setting"
          aria-autocomplete="list"
          aria-expanded={results.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={results.length === 0 ? undefined : `${id}-${active}`}
          placeholder="An entry, member, notice or setting"
          value={text}
          maxLength={longestQuery}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          onChange={(event) => {
            setText(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {error === undefined ? (
        <p className={results.length > 0 && !isWaiting ? 'sr-only' : 'work-aside'} role="status">
          {isWaiting ? 'Searching...' : standingOf(results.length, text)}
        </p>
      ) : (
        <Notice tone="failed">
          <p>{error.message}</p>
          <p>
            <RetryButton isFetching={isFetching} onRetry={refetch} />
          </p>
        </Notice>
      )}
      <Results id={id} groups={groups} active={active} onLeave={onLeave} />
    </div>
  )
}

function standingOf(results: number, text: string): string {
  if (results === 0)
    return `Nothing has “${text.trim()}”. Try fewer words, or a part of a name, an address or a number.`
  return results === 1 ? '1 result' : `${results} results`
}

/** Places of the administration at once, and what the server has found a moment after the last letter. */
function useSearch() {
  const later = useLater()
  const [text, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const { data, error, isFetching, refetch } = useAdminQuery(
    `/api/admin/search?${new URLSearchParams({ q: asked }).toString()}`,
    AdminSearch,
    { keepsPrevious: true, isForgotten: true, isEnabled: asked !== '' },
  )
  const trimmed = text.trim()
  const isAsked = trimmed !== '' && asked !== ''
  return {
    text,
    setText(typed: string) {
      setTyped(typed)
      later(typed.trim() === '' ? 0 : pauseMs, () => setAsked(typed.trim()))
    },
    // The answer to the text before stays until the next one has come.
    groups: [...findPlaces(text), ...(isAsked && error === undefined ? (data?.groups ?? []) : [])],
    isWaiting: trimmed !== asked || (isFetching && isAsked),
    error: isAsked ? error : undefined,
    isFetching,
    refetch,
  }
}

function Results({
  id,
  groups,
  active,
  onLeave,
}: {
  id: string
  groups: readonly { name: string; results: readonly Place[] }[]
  active: number
  onLeave: () => void
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  const all = groups.flatMap(({ results }) => results)
  return (
    <div ref={list} id={`${id}-list`} role="listbox" aria-label="Results" className="search-results">
      {groups.map(({ name, results }) => (
        <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
          <p id={`${id}-${name}`} className="admin-nav-label">
            {name}
          </p>
          {results.map((result) => {
            const { title, facts, to } = result
            const place = all.indexOf(result)
            return (
              <Link
                key={`${to} ${title}`}
                id={`${id}-${place}`}
                role="option"
                aria-selected={place === active}
                tabIndex={-1}
                to={to}
                onClick={onLeave}
              >
                <bdi>{title}</bdi>
                {facts === '' ? null : <span>{facts}</span>}
              </Link>
            )
          })}
        </div>
      ))}
    </div>
  )
}
