import { useState } from 'react'
import { Link } from 'react-router'
import { ApiError, callApi, usualSentence } from '../../../../browser/api-client.ts'
import { useSession } from '../../../../browser/session-store.ts'
import type { ListingFilters } from '../../item/listing.ts'
import { writeFilters } from '../../search/listing-address.ts'
import type { Shelf } from '../../shelves/shelf.ts'
import { activeFilters, listTitle } from '../../search/filters-in-words.ts'
import './save-search.css'

/** Keeps what a list is asked for, for members; none without a filter. */
export function SaveSearch({ shelf, filters }: { shelf: Shelf; filters: ListingFilters }) {
  const isMember = useSession().session !== undefined
  const query = writeFilters({ ...filters, at: '', page: 1 })
  const [outcome, setOutcome] = useState<{ query: string; failure?: string }>()
  const [isBusy, setBusy] = useState(false)
  if (!isMember || activeFilters(filters).length === 0) return null

  const save = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      const name = [...listTitle(shelf.name, { ...filters, page: 1 })].slice(0, 120).join('').trim()
      const body = { list: shelf.path.slice(1), query, name }
      const reply = await callApi('/account/saved-searches', { method: 'POST', body })
      if (!reply.ok) throw new ApiError('refused', { reply })
      setOutcome({ query })
    } catch (error) {
      setOutcome({ query, failure: error instanceof ApiError ? error.message : usualSentence })
    } finally {
      setBusy(false)
    }
  }
  const isOfThis = outcome?.query === query
  return (
    <p className="save-search">
      <button type="button" className="text-link" aria-disabled={isBusy} onClick={() => void save()}>
        Save this search
      </button>
      <span role="status">
        {!isOfThis ? null : outcome.failure === undefined ? (
          <>
            {'Saved. '}
            <Link className="text-link" to="/account/searches">
              Your saved searches
            </Link>
          </>
        ) : (
          outcome.failure
        )}
      </span>
    </p>
  )
}
