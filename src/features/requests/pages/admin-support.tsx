import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { request } from '../../../browser/api-client.ts'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { refetchAnswersUnder, useApiMutation } from '../../../browser/queries.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { WorkEmpty, WorkPage, WorkTools, WorkWaiting } from '../../../ui/work-page.tsx'
import { recheckAccess, useAdminPages } from '../../office/browser/admin-query.ts'
import { ConfirmDialog } from '../../office/parts/confirm-dialog.tsx'
import { GivenText } from '../../office/parts/given-text.tsx'
import { RetryButton } from '../../office/parts/retry-button.tsx'
import { closedInWords, inquiriesInWords } from '../parts/closed-in-words.ts'
import { InquiryCard } from '../parts/inquiry-card.tsx'
import { inquiriesPath, searchOfInquiries } from '../parts/request-paths.ts'
import {
  ClosedInquiries,
  InquiriesForAdmin,
  inquiryStates,
  type InquiryState,
  maxClosedAtOnce,
} from '../support/inquiry-schema.ts'
import '../parts/requests.css'

export const handle = { title: 'Support' } satisfies TitledPage

export const meta = guardedMeta

const stateWords = { open: 'Open', answered: 'Answered', closed: 'Closed' } as const

interface Wanted {
  state: InquiryState
  /** Empty for those of all addresses. */
  email: string
}

function pathOf({ state, email }: Wanted): string {
  const search = new URLSearchParams({ state, ...(email === '' ? {} : { email }) })
  return `${inquiriesPath}?${search.toString()}`
}

/** Inquiries for administrators; VIPs first. The address holds the filters. */
export default function AdminSupportRoute() {
  const search = new URLSearchParams(useLocation().search)
  const state = inquiryStates.find((one) => one === search.get('state')) ?? 'open'
  const email = search.get('email') ?? ''
  const navigate = useNavigate()
  return (
    <WorkPage title="Support" lead="Messages to you. Inquiries of VIPs come first; answers go out by email.">
      <WorkTools>
        <Select
          name="state"
          label="State"
          value={state}
          options={inquiryStates.map((one) => ({ value: one, label: stateWords[one] }))}
          onChange={(next) => {
            void navigate({ search: searchOfInquiries({ state: next, email }) }, { preventScrollReset: true })
          }}
        />
        {email === '' ? null : (
          <p>
            Only those of <GivenText>{email}</GivenText>.{' '}
            <Link className="text-link" to={{ search: searchOfInquiries({ state, email: '' }) }}>
              Show all
            </Link>
          </p>
        )}
      </WorkTools>
      <Inquiries key={`${state} ${email}`} wanted={{ state, email }} />
    </WorkPage>
  )
}

/** The list, and what is done with several of it at once. */
function Inquiries({ wanted }: { wanted: Wanted }) {
  const { pages, error, isFetching, hasMore, more, refetch, setPages } = useAdminPages(
    pathOf(wanted),
    InquiriesForAdmin,
  )
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isAsking, setIsAsking] = useState(false)
  const [told, setTold] = useState<string>()
  const inquiries = pages.flatMap((page) => page.inquiries)
  const toClose = inquiries.filter(({ state }) => state !== 'closed').slice(0, maxClosedAtOnce)
  const picked = toClose.filter(({ id }) => chosen.has(id))
  const close = useApiMutation({
    mutationFn: () =>
      request(`${inquiriesPath}/close`, ClosedInquiries, {
        method: 'POST',
        body: { inquiries: picked.map(({ id, version }) => ({ id, version })) },
      }),
    onSuccess: (answer) => {
      setTold(closedInWords(answer))
      setChosen(new Set())
      setIsAsking(false)
      refetchAnswersUnder(inquiriesPath)
    },
    onError: recheckAccess,
  })
  const choose = (ids: readonly string[], isChosen: boolean): void =>
    setChosen((before) => {
      const next = new Set(before)
      for (const id of ids) {
        if (isChosen) next.add(id)
        else next.delete(id)
      }
      return next
    })
  if (pages.length === 0) {
    return error === undefined ? (
      <WorkWaiting />
    ) : (
      <Notice tone="failed">
        <p>{error.message}</p>
        <p>
          <RetryButton isFetching={isFetching} onRetry={more} />
        </p>
      </Notice>
    )
  }
  return (
    <>
      {toClose.length === 0 ? null : (
        <div className="inquiry-tools">
          <Checkbox
            name="all"
            label={`Select all ${toClose.length.toLocaleString('en-US')} shown`}
            checked={picked.length === toClose.length}
            onChange={({ currentTarget }) =>
              choose(
                toClose.map(({ id }) => id),
                currentTarget.checked,
              )
            }
          />
          <button
            type="button"
            className="button"
            aria-haspopup="dialog"
            disabled={picked.length === 0}
            onClick={() => setIsAsking(true)}
          >
            {picked.length === 0 ? 'Close selected' : `Close ${inquiriesInWords(picked.length)}`}
          </button>
        </div>
      )}
      <Announced>{told === undefined ? null : <Notice tone="done">{told}</Notice>}</Announced>
      {inquiries.length === 0 ? (
        <WorkEmpty
          step={
            wanted.email !== '' || wanted.state !== 'open' ? (
              <Link className="button" to={{ search: '' }}>
                Show all open inquiries
              </Link>
            ) : (
              <Link className="button" to="/support">
                See where people write
              </Link>
            )
          }
        >
          No inquiries found.
        </WorkEmpty>
      ) : null}
      {inquiries.map((inquiry) => (
        <InquiryCard
          key={inquiry.id}
          inquiry={inquiry}
          isChosen={chosen.has(inquiry.id)}
          onChosen={(isChosen) => choose([inquiry.id], isChosen)}
          onChanged={(changed) => {
            // It stays where it stands, in its new state, until the list is opened again.
            setPages((page) => ({
              ...page,
              inquiries: page.inquiries.map((one) => (one.id === changed.id ? changed : one)),
            }))
          }}
          onOvertaken={refetch}
        />
      ))}
      <LoadMore hasMore={hasMore} isFetching={isFetching} error={error} onMore={more} />
      {isAsking ? (
        <ConfirmDialog
          title={`Close ${inquiriesInWords(picked.length)}`}
          label="Close them"
          labelWhileSending="Closing..."
          otherwise="The inquiries could not be closed."
          act={() => close.mutateAsync()}
          onClose={() => setIsAsking(false)}
        >
          <p>Nobody is told. A closed inquiry can be opened again for 400 days, then it is deleted.</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
