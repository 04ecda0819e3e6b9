import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { WorkPage, WorkTools, WorkWaiting } from '../../../ui/work-page.tsx'
import { useAdminQuery } from '../../accounts/browser/admin-query.ts'
import { RetryButton } from '../../accounts/parts/retry-button.tsx'
import { InquiryCard } from '../parts/inquiry-card.tsx'
import { inquiriesPath } from '../parts/request-paths.ts'
import { InquiriesForAdmin, inquiryStates, type InquiryState } from '../support/inquiry-schema.ts'
import '../parts/requests.css'

export const handle = { title: 'Support' } satisfies TitledPage

export const meta = guardedMeta

const stateWords = { open: 'Open', answered: 'Answered', closed: 'Closed' } as const

function pathOfPart(state: InquiryState, after: string | undefined): string {
  return `${inquiriesPath}?${new URLSearchParams({ state, ...(after === undefined ? {} : { after }) }).toString()}`
}

/** Inquiries for administrators; VIPs first. The state that is asked for stands in the address. */
export default function AdminSupportRoute() {
  const asked = new URLSearchParams(useLocation().search).get('state')
  const state = inquiryStates.find((one) => one === asked) ?? 'open'
  const navigate = useNavigate()
  const [parts, setParts] = useState<readonly (string | undefined)[]>([undefined])
  return (
    <WorkPage
      title="Support"
      lead="What people have written to you. Inquiries of VIPs come first; answers go out by mail."
    >
      <WorkTools>
        <Select
          name="state"
          label="State"
          value={state}
          options={inquiryStates.map((one) => ({ value: one, label: stateWords[one] }))}
          onChange={(next) => {
            setParts([undefined])
            void navigate({ search: next === 'open' ? '' : `state=${next}` }, { preventScrollReset: true })
          }}
        />
      </WorkTools>
      {parts.map((after, place) => (
        <Part
          key={`${state} ${after ?? ''}`}
          state={state}
          after={after}
          isLast={place === parts.length - 1}
          onMore={(next) => setParts((shown) => [...shown, next])}
        />
      ))}
    </WorkPage>
  )
}

function Part({
  state,
  after,
  isLast,
  onMore,
}: {
  state: InquiryState
  after: string | undefined
  isLast: boolean
  onMore: (next: string) => void
}) {
  const { data, error, isFetching, refetch, setData } = useAdminQuery(pathOfPart(state, after), InquiriesForAdmin)
  if (data === undefined) {
    return error === undefined ? (
      <WorkWaiting />
    ) : (
      <Notice tone="failed">
        <p>{error.message}</p>
        <p>
          <RetryButton isFetching={isFetching} onRetry={refetch} />
        </p>
      </Notice>
    )
  }
  const { inquiries, next } = data
  return (
    <>
      {inquiries.length === 0 && after === undefined ? <p className="work-empty">No inquiries found.</p> : null}
      {inquiries.map((inquiry) => (
        <InquiryCard
          key={inquiry.id}
          inquiry={inquiry}
          onChanged={(changed) => {
            // It stays where it stands, in its new state, until the list is opened again.
            setData((shown) =>
              shown === undefined
                ? shown
                : { ...shown, inquiries: shown.inquiries.map((one) => (one.id === changed.id ? changed : one)) },
            )
          }}
          onOvertaken={refetch}
        />
      ))}
      {isLast && next !== null ? (
        <p>
          <button type="button" className="button" onClick={() => onMore(next)}>
            Load more
          </button>
        </p>
      ) : null}
    </>
  )
}
