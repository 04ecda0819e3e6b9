import { useState } from 'react'
import { Button, ButtonLink, TextLink } from '../../../../ui/button.tsx'
import { type ApiError, noAnswer, request } from '../../../../browser/api-client.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { ListPage } from '../../../../ui/list-page/list-page.tsx'
import { useAddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { optionsOf } from '../../../../ui/select.tsx'
import { recheckAccess, useAdminPages } from '../../../office/browser/admin-query.ts'
import { UserText } from '../../../office/parts/user-text.tsx'
import { fateWords } from '../fate-words.ts'
import { type SentEmail, SentEmails } from '../sent-email-schema.ts'
import '../parts/sent-emails.css'

export const handle = { title: 'Emails' } satisfies TitledPage

export const meta = guardedMeta

const choices = [{ name: 'fate', label: 'Outcome', options: optionsOf(fateWords, 'All emails') }]

/** Emails of the last 30 days and what became of them. Search and filter stand in the address. */
export default function SentEmailsRoute() {
  const filters = useAddressFilters()
  const { pages, answeredAt, error, isFetching, isPrevious, hasMore, more, refetch } = useAdminPages(
    `/api/sent-emails?${filters.query('search', 'fate')}`,
    SentEmails,
    { keepsPrevious: true },
  )
  const [outcome, setOutcome] = useState<{ tone: 'done' | 'failed'; sentence: string }>()
  const resume = useApiMutation<undefined, SentEmail>({
    mutationFn: ({ memberId }) => request(`/api/people/${memberId}/email-stop`, noAnswer, { method: 'DELETE' }),
    onSuccess(_answer, { address }) {
      setOutcome({ tone: 'done', sentence: `Emails go to ${address} again.` })
      refetch()
    },
    onError(failure: ApiError) {
      recheckAccess(failure)
      setOutcome({ tone: 'failed', sentence: failure.message })
      refetch()
    },
  })
  const emails = pages.flatMap((page) => page.emails)
  const hasActs = emails.some(({ stop }) => stop !== null)
  const isFiltered = ['search', 'fate'].some((name) => filters.get(name) !== '')
  return (
    <ListPage
      title="Emails"
      lead="The emails of the last 30 days and what became of each. Their content is not kept."
      moreActions={<ButtonLink label="Show what waits" to="/admin/jobs?state=waiting" />}
      filters={filters}
      search={{ label: 'Search by address', placeholder: 'Part of an address' }}
      choices={choices}
      above={
        <Announced>{outcome === undefined ? null : <Notice tone={outcome.tone}>{outcome.sentence}</Notice>}</Announced>
      }
      answer={{ isHere: pages.length > 0, error, isFetching, onRetry: more }}
      failure="The emails could not be loaded"
      shown={emails.length}
      empty={isFiltered ? 'No email of the last 30 days matches.' : 'No email has been sent in the last 30 days.'}
      step={isFiltered ? <ButtonLink label="Show all emails" to={{ search: '' }} /> : null}
      more={{ hasMore, onMore: more }}
    >
      <DataTable
        label="Emails"
        heads={['To', 'Email', 'When', 'Outcome', ...(hasActs ? ['Actions'] : [])]}
        isBusy={isPrevious}
      >
        {emails.map((email) => (
          <tr key={email.id}>
            <td>
              <Recipient email={email} />
            </td>
            <td>{email.words}</td>
            <td>
              <Moment at={email.at} now={answeredAt} />
            </td>
            <td>
              {fateWords[email.fate]}
              {email.answer === null ? null : <span className="sent-email-answer">{email.answer}</span>}
            </td>
            {hasActs ? (
              <td>
                {email.stop === null ? null : (
                  <Button
                    label="End the stop"
                    isBusy={resume.isPending}
                    aria-label={`End the stop of ${email.address}`}
                    onClick={() => (resume.isPending ? undefined : resume.mutate(email))}
                  />
                )}
              </td>
            ) : null}
          </tr>
        ))}
      </DataTable>
    </ListPage>
  )
}

function Recipient({ email: { address, memberId, stop } }: { email: SentEmail }) {
  if (address === null) return 'An address without an account'
  return (
    <>
      {memberId === null ? (
        <UserText>{address}</UserText>
      ) : (
        <TextLink to={`/admin/people/${memberId}`}>
          <UserText>{address}</UserText>
        </TextLink>
      )}
      {stop === null ? null : (
        <span className="sent-email-answer">
          {stop === 'bounce' ? 'stopped: emails came back' : 'gets no news: reported as spam'}
        </span>
      )}
    </>
  )
}
