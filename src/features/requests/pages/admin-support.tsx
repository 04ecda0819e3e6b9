import { useState } from 'react'
import { ButtonLink, TextLink } from '../../../ui/button.tsx'
import { request } from '../../../browser/api-client.ts'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { refetchAnswersUnder } from '../../../browser/queries.ts'
import { counted } from '../../../platform/counted.ts'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { ListPage } from '../../../ui/list-page/list-page.tsx'
import { SelectionAct, SelectionTools, useSelection } from '../../../ui/list-page/selection.tsx'
import { type AddressFilters, useAddressFilters } from '../../../ui/list-page/use-address-filters.ts'
import { useAdminPages } from '../../office/browser/admin-query.ts'
import { ConfirmDialog } from '../../office/parts/confirm-dialog.tsx'
import { UserText } from '../../office/parts/user-text.tsx'
import { InquiryCard } from '../parts/inquiry-card.tsx'
import { inquiriesPath, searchOfInquiries } from '../parts/request-paths.ts'
import {
  ClosedInquiries,
  InquiriesForAdmin,
  type InquiryForAdmin,
  inquiryStates,
  type InquiryState,
  maxClosedAtOnce,
} from '../support/inquiry-schema.ts'
import '../parts/requests.css'

export const handle = { title: 'Support' } satisfies TitledPage

export const meta = guardedMeta

const stateWords = { open: 'Open', answered: 'Answered', closed: 'Closed' } as const
const stateOptions = inquiryStates.map((one) => ({ value: one, label: stateWords[one] }))

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
  const filters = useAddressFilters()
  const state = inquiryStates.find((one) => one === filters.get('state')) ?? 'open'
  const wanted = { state, email: filters.get('email') }
  // Another list begins with nothing chosen.
  return <Inquiries key={`${state} ${wanted.email}`} filters={filters} wanted={wanted} />
}

/** The list, and what is done with several of it at once. */
function Inquiries({ filters, wanted }: { filters: AddressFilters; wanted: Wanted }) {
  const { pages, answeredAt, error, isFetching, hasMore, more, refetch, setPages } = useAdminPages(
    pathOf(wanted),
    InquiriesForAdmin,
  )
  const selection = useSelection()
  const [isAsking, setIsAsking] = useState(false)
  const [announced, setAnnounced] = useState<string>()
  const inquiries = pages.flatMap((page) => page.inquiries)
  const toClose = inquiries.filter(({ state }) => state !== 'closed').slice(0, maxClosedAtOnce)
  const picked = toClose.filter(({ id }) => selection.has(id))
  const { state, email } = wanted
  // They stay where they stand, in their new state, until the list is asked for anew.
  const show = (changed: readonly InquiryForAdmin[]): void => {
    const byId = new Map(changed.map((one) => [one.id, one]))
    setPages((page) => ({ ...page, inquiries: page.inquiries.map((one) => byId.get(one.id) ?? one) }))
  }
  return (
    <>
      <ListPage
        title="Support"
        lead="Messages to you. Inquiries from VIPs come first; answers go out by email."
        filters={filters}
        choices={[{ name: 'state', label: 'State', value: state, options: stateOptions }]}
        tools={
          email === '' ? null : (
            <p>
              Only those from <UserText>{email}</UserText>.{' '}
              <TextLink to={{ search: searchOfInquiries({ state, email: '' }) }}>Show all</TextLink>
            </p>
          )
        }
        above={
          <>
            <SelectionTools ids={toClose.map(({ id }) => id)} selection={selection}>
              <SelectionAct
                count={picked.length}
                label={`Close ${counted(picked.length, 'inquiry', 'inquiries')}`}
                labelWithout="Close selected"
                onAct={() => setIsAsking(true)}
              />
            </SelectionTools>
            <Announced>{announced === undefined ? null : <Notice tone="done">{announced}</Notice>}</Announced>
          </>
        }
        answer={{ isHere: pages.length > 0, error, isFetching, onRetry: more }}
        failure="The inquiries could not be loaded"
        shown={inquiries.length}
        empty="No inquiries found."
        step={
          email !== '' || state !== 'open' ? (
            <ButtonLink label="Show all open inquiries" to={{ search: '' }} />
          ) : (
            <ButtonLink label="See where people write" to="/support" />
          )
        }
        more={{ hasMore, onMore: more }}
      >
        {inquiries.map((inquiry) => (
          <InquiryCard
            key={inquiry.id}
            inquiry={inquiry}
            now={answeredAt}
            isChosen={selection.has(inquiry.id)}
            onChosen={(isChosen) => selection.choose([inquiry.id], isChosen)}
            onChanged={(changed) => show([changed])}
            onOvertaken={refetch}
          />
        ))}
      </ListPage>
      {isAsking ? (
        <ConfirmDialog
          title={`Close ${counted(picked.length, 'inquiry', 'inquiries')}`}
          label="Close them"
          labelWhileSending="Closing..."
          otherwise="The inquiries could not be closed."
          act={async () => {
            const body = { inquiries: picked.map(({ id, version }) => ({ id, version })) }
            const answer = await request(`${inquiriesPath}/close`, ClosedInquiries, { method: 'POST', body })
            show([...answer.closed, ...answer.overtaken])
            setAnnounced(closedInWords(answer))
            selection.clear()
            setIsAsking(false)
            refetchAnswersUnder(inquiriesPath)
          }}
          onClose={() => setIsAsking(false)}
        >
          <p>Nobody is told. A closed inquiry can be opened again for 400 days, then it is deleted.</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** The result of closing several at once; unchanged ones are named. */
function closedInWords({ closed, overtaken, gone }: ClosedInquiries): string {
  const done = `${counted(closed.length, 'inquiry', 'inquiries')} ${closed.length === 1 ? 'was' : 'were'} closed.`
  const names = overtaken.map(({ name }) => name).join(', ')
  const left =
    overtaken.length === 0
      ? []
      : [
          `Somebody else has changed ${counted(overtaken.length, 'inquiry', 'inquiries')} in the meantime, left as they are: ${names}.`,
        ]
  const lost =
    gone.length === 0 ? [] : [`${counted(gone.length, 'inquiry', 'inquiries')} had been deleted in the meantime.`]
  return [done, ...left, ...lost].join(' ')
}
