/** The long work of one feature. */
export interface RunQueue<Kind extends string = string> {
  /** The job that works on a run. It is put in line with `{ subjectId }` in the transaction that begins the run. */
  job: string
  /** The job that puts runs in line anew that nobody works on. */
  takeUpJob: string
  kinds: readonly Kind[]
}
