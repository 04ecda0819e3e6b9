/** The job that works on a run. Queue it in the transaction that begins the run, with `{ subjectId }`. */
export const runJob = 'catalogue.work-on-run'
