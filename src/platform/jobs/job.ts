export type JobData = Record<string, unknown>

/** A job that is queued, defined once: by it jobs are queued, and done. */
export interface JobKind<Data extends object = object> {
  name: string
  /** Never set: it carries the type of the data. */
  data?: Data
}

export function defineJob<Data extends object>(name: string): JobKind<Data> {
  return { name }
}

export interface Attempt {
  /** The job's own, the same at every attempt. */
  id: string
  /** Counts from 1; an attempt that died with its process counts too. */
  number: number
  /** No other will follow if this one fails. */
  isLast: boolean
  /** Aborted when the process cannot wait any longer for the job to end. */
  signal: AbortSignal
  /** Whether the process is about to stop. Long work then ends at its next step, and puts the rest in line. */
  isStopping(): boolean
}

/** A job that is not tried again. */
export interface JobFailure {
  name: string
  /** One line. */
  reason: string
}

export interface JobOptions {
  /** How often a job that failed is tried again. */
  retries?: number
  /** The wait before the first retry; each further one is about twice as long. */
  firstWaitSeconds?: number
  longestWaitSeconds?: number
  /**
   * How many jobs of the kind a process does at once, each as the least priority that it takes: a worker for urgent jobs
   * alone is free whenever one comes. One worker for all by default.
   */
  workers?: readonly { minPriority?: number }[]
}

/** A failure whose cause the log tells by a line of its own: that the job is tried again for it is no news. */
export class ReportedFailure extends Error {}
