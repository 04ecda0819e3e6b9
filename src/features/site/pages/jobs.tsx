import { useState } from 'react'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { ListPage } from '../../../ui/list-page/list-page.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { useAddressFilters } from '../../../ui/list-page/use-address-filters.ts'
import { useAdminPages } from '../../office/browser/admin-query.ts'
import { JobsForAdmin } from '../jobs/jobs-schema.ts'
import { JobTable, type Outcome } from '../parts/jobs/job-table.tsx'
import { emptyWords, jobsPath, type JobState, stateWords } from '../parts/jobs/job-words.ts'
import '../parts/jobs/jobs.css'

export const handle = { title: 'Jobs' } satisfies TitledPage

export const meta = guardedMeta

const states = Object.keys(stateWords) as JobState[]

/** The work that the site does by itself, for administrators. The state stands in the address. */
export default function JobsRoute() {
  const filters = useAddressFilters()
  const state = states.find((one) => one === filters.get('state')) ?? 'failed'
  const { pages, answeredAt, error, isFetching, isPrevious, hasMore, more, refetch } = useAdminPages(
    `${jobsPath}?state=${state}`,
    JobsForAdmin,
    { keepsPrevious: true },
  )
  const [outcome, setOutcome] = useState<Outcome>()
  const counts = pages[0]?.counts
  const jobs = pages.flatMap((page) => page.jobs)
  const options = states.map((value) => ({
    value,
    label: counts === undefined ? stateWords[value] : `${stateWords[value]} (${counts[value].toLocaleString('en-US')})`,
  }))
  return (
    <ListPage
      title="Jobs"
      lead="Work that runs by itself: emails, schedules, long changes. A job that fails is tried again; after its last try it stays here for a week."
      actions={<Button label="Refresh" isBusy={isFetching} onClick={refetch} />}
      filters={filters}
      choices={[{ name: 'state', label: 'State', value: state, options }]}
      above={
        <Announced>{outcome === undefined ? null : <Notice tone={outcome.tone}>{outcome.sentence}</Notice>}</Announced>
      }
      answer={{ isHere: pages.length > 0, error, isFetching, onRetry: more }}
      failure="The jobs could not be loaded"
      shown={jobs.length}
      empty={emptyWords[state]}
      step={
        state === 'failed' ? (
          <ButtonLink label="Show what waits" to={{ search: '?state=waiting' }} />
        ) : (
          <ButtonLink label="Show what has failed" to={{ search: '' }} />
        )
      }
      more={{ hasMore, onMore: more }}
    >
      <JobTable
        key={state}
        state={state}
        jobs={jobs}
        isBusy={isPrevious}
        now={answeredAt}
        onOutcome={(next) => {
          setOutcome(next)
          refetch()
        }}
      />
    </ListPage>
  )
}
