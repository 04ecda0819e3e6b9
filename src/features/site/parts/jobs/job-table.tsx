import { useState } from 'react'
import { type ApiError, noAnswer, request } from '../../../../browser/api-client.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { useApiMutation } from '../../../../browser/queries.ts'
import { Button } from '../../../../ui/button.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import type { JobForAdmin, JobsForAdmin } from '../../jobs/jobs-schema.ts'
import { jobsPath, type JobState, sinceHeads, stateWords } from './job-words.ts'

/** How an act ended, for the page to say; the list is asked for anew whichever way. */
export interface Outcome {
  tone: 'done' | 'failed'
  sentence: string
}

export function JobTable({
  state,
  jobs,
  isBusy,
  now,
  onOutcome,
}: {
  state: JobState
  jobs: JobsForAdmin['jobs']
  isBusy: boolean
  now: number
  onOutcome: (outcome: Outcome | undefined) => void
}) {
  const [asked, setAsked] = useState<JobForAdmin>()
  const retry = useApiMutation<undefined, JobForAdmin>({
    mutationFn: ({ id }) => request(`${jobsPath}/${id}/retry`, noAnswer, { method: 'POST' }),
    onSuccess: (_answer, { words }) => onOutcome({ tone: 'done', sentence: `“${words}” is tried now.` }),
    onError(error: ApiError) {
      recheckAccess(error)
      onOutcome({ tone: 'failed', sentence: error.message })
    },
  })
  const isWaiting = state === 'waiting'
  const heads = ['Job', sinceHeads[state], ...(isWaiting ? ['Next try'] : []), 'Tries', 'Reason']
  return (
    <>
      <DataTable
        label={`Jobs: ${stateWords[state]}`}
        heads={[...heads, ...(state === 'running' ? [] : ['Actions'])]}
        isBusy={isBusy}
      >
        {jobs.map((job) => (
          <tr key={job.id}>
            <td>
              {job.words}
              <span className="job-name">{job.name}</span>
            </td>
            <td>
              <Moment at={job.since} now={now} />
            </td>
            {isWaiting ? <td>{nextTry(job, now)}</td> : null}
            <td>{job.attempts}</td>
            <td className="job-reason">{job.reason ?? 'none yet'}</td>
            {state === 'running' ? null : (
              <td>
                <span className="data-actions">
                  <Button
                    label={isWaiting ? 'Try now' : 'Try again'}
                    about={`: ${job.words}`}
                    isBusy={retry.isPending}
                    onClick={() => retry.mutate(job)}
                  />
                  <Button
                    label="Discard"
                    about={`: ${job.words}`}
                    aria-haspopup="dialog"
                    onClick={() => setAsked(job)}
                  />
                </span>
              </td>
            )}
          </tr>
        ))}
      </DataTable>
      {asked === undefined ? null : (
        <ConfirmDialog
          title="Discard this job?"
          label="Discard it"
          labelWhileSending="Discarding..."
          isGrave
          otherwise="The job could not be discarded."
          act={async () => {
            await request(`${jobsPath}/${asked.id}/give-up`, noAnswer, { method: 'POST' })
            setAsked(undefined)
            onOutcome({ tone: 'done', sentence: `“${asked.words}” is discarded.` })
          }}
          onClose={() => {
            setAsked(undefined)
            onOutcome(undefined)
          }}
        >
          <p>
            {isWaiting
              ? `“${asked.words}” is taken off the queue and never runs. If it is an email, it is not sent.`
              : `“${asked.words}” is taken off this list and not tried again.`}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function nextTry({ nextTryAt }: JobForAdmin, now: number) {
  if (nextTryAt === null || Date.parse(nextTryAt) <= now) return 'now'
  return <time dateTime={nextTryAt}>{inWords(Date.parse(nextTryAt) - now)}</time>
}

function inWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  return minutes <= 1 ? 'within a minute' : `in ${minutes} minutes`
}
