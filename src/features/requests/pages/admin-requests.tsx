import * as z from 'zod/mini'
import { ButtonLink } from '../../../ui/button.tsx'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { ListPage } from '../../../ui/list-page/list-page.tsx'
import { useAddressFilters } from '../../../ui/list-page/use-address-filters.ts'
import { optionsOf } from '../../../ui/select.tsx'
import { useAdminPages } from '../../office/browser/admin-query.ts'
import { RequestsForAdmin, requestStatuses } from '../content-requests/request-schema.ts'
import { statusWords } from '../parts/request-row.tsx'
import { RequestsTable } from '../parts/requests-table.tsx'
import { requestsPath, searchOfRequests } from '../parts/request-paths.ts'
import '../parts/requests.css'

export const handle = { title: 'Content Requests' } satisfies TitledPage

export const meta = guardedMeta

const atOnce = 100
const failure = 'Failed to load recommendations. Please try again later.'

/** The answer is an array: a full one may have another behind it. */
const PartOfRequests = z.pipe(
  RequestsForAdmin,
  z.transform((requests) => ({
    requests,
    next: requests.length === atOnce ? (requests.at(-1)?.id ?? null) : null,
  })),
)

const choices = [
  {
    name: 'status',
    label: 'Status',
    options: optionsOf(statusWords, 'All requests'),
  },
  {
    name: 'author',
    label: 'Asked by',
    options: [
      { value: '', label: 'All members' },
      { value: 'none', label: 'Deleted accounts' },
    ],
  },
]

export default function AdminRequestsRoute() {
  const filters = useAddressFilters()
  const status = requestStatuses.find((one) => one === filters.get('status')) ?? ''
  const search = searchOfRequests({ status, isOfNobody: filters.get('author') === 'none' })
  const { pages, answeredAt, error, isFetching, hasMore, more, refetch, setPages } = useAdminPages(
    `${requestsPath}?limit=${atOnce}${search === '' ? '' : `&${search}`}`,
    PartOfRequests,
    { parameter: 'before' },
  )
  const requests = pages.flatMap((page) => page.requests)
  return (
    <ListPage
      title="Content Requests"
      lead="Requests from members. Link an approved request to the entry that fulfils it; everyone who voted is emailed once they can open it."
      filters={filters}
      choices={choices}
      answer={{ isHere: pages.length > 0, error, isFetching, onRetry: more }}
      failure={failure}
      shown={requests.length}
      empty="No requests found."
      step={
        search === '' ? (
          <ButtonLink label="See where members ask" to="/requests" />
        ) : (
          <ButtonLink label="Show all requests" to={{ search: '' }} />
        )
      }
      more={{ hasMore, onMore: more, failure }}
    >
      <RequestsTable
        // Another list begins with nothing chosen.
        key={search}
        requests={requests}
        now={answeredAt}
        isBusy={isFetching}
        onChanged={(...changed) => {
          const byId = new Map(changed.map((one) => [one.id, one]))
          setPages((page) => ({ ...page, requests: page.requests.map((one) => byId.get(one.id) ?? one) }))
        }}
        onOvertaken={refetch}
      />
    </ListPage>
  )
}
