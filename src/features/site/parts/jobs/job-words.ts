export const jobsPath = '/api/jobs'

/** In the order of the page. */
export const stateWords = { failed: 'Failed', waiting: 'Waiting', running: 'Running' } as const
export type JobState = keyof typeof stateWords

export const sinceHeads = { failed: 'Failed', waiting: 'Queued', running: 'Started' } as const satisfies Record<
  JobState,
  string
>

export const emptyWords = {
  failed: 'No job has failed in the last seven days.',
  waiting: 'Nothing is queued.',
  running: 'Nothing is running.',
} as const satisfies Record<JobState, string>
