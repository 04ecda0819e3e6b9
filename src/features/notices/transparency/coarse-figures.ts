import type { NoticeKind } from '../notice/notice-kinds.ts'
import { type Count, type Figures, fewerThanFive } from './figures-schema.ts'

/**
 * Kinds whose small numbers could point at a person. Their counts are rounded down to a multiple of five, and those
 * below five, zero among them, said as such. Hiding only small ones would hide nothing: the rest of an exact sum is the
 * hidden one. So no sum over several kinds holds them.
 */
const coarseKinds: ReadonlySet<NoticeKind> = new Set(['child-safety', 'intimate-image'])
const step = 5

export function isCoarse(kind: NoticeKind): boolean {
  return coarseKinds.has(kind)
}

/** Everything that was counted exactly. Times in seconds. */
export interface ExactFigures {
  received: number
  incomplete: number
  open: number
  overdue: number
  decided: number
  withdrawn: number
  duplicates: number
  medianSeconds: number | null
  p90Seconds: number | null
  /** Notices with a decision, which median and percentile are about. */
  timed: number
  /** Notices whose deadline of the decision was met or is over, and those of them that met it. */
  deadlines: number
  deadlinesMet: number
  removed: number
  restricted: number
  kept: number
  decidedBySite: number
  reversals: number
  appeals: number
  appealsGranted: number
  appealsRefused: number
  counterNotices: number
  counterNoticesRestored: number
  counterNoticesStopped: number
}

export function publicFigures(exact: ExactFigures, { coarse }: { coarse: boolean }): Figures {
  const count = (value: number): Count => (!coarse ? value : value < step ? fewerThanFive : value - (value % step))
  const isShown = (of: number): boolean => of >= (coarse ? step : 1)
  return {
    received: count(exact.received),
    incomplete: count(exact.incomplete),
    open: count(exact.open),
    overdue: count(exact.overdue),
    decided: count(exact.decided),
    withdrawn: count(exact.withdrawn),
    duplicates: count(exact.duplicates),
    medianHours: isShown(exact.timed) ? hours(exact.medianSeconds) : null,
    p90Hours: isShown(exact.timed) ? hours(exact.p90Seconds) : null,
    // Rounded down: 100 means that every one was in time.
    inTimePercent: isShown(exact.deadlines) ? Math.floor((100 * exact.deadlinesMet) / exact.deadlines) : null,
    removed: count(exact.removed),
    restricted: count(exact.restricted),
    kept: count(exact.kept),
    decidedBySite: count(exact.decidedBySite),
    reversals: count(exact.reversals),
    appeals: count(exact.appeals),
    appealsGranted: count(exact.appealsGranted),
    appealsRefused: count(exact.appealsRefused),
    counterNotices: count(exact.counterNotices),
    counterNoticesRestored: count(exact.counterNoticesRestored),
    counterNoticesStopped: count(exact.counterNoticesStopped),
  }
}

/** To a tenth of an hour. */
function hours(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds / 360) / 10
}

export const noFigures: ExactFigures = {
  received: 0,
  incomplete: 0,
  open: 0,
  overdue: 0,
  decided: 0,
  withdrawn: 0,
  duplicates: 0,
  medianSeconds: null,
  p90Seconds: null,
  timed: 0,
  deadlines: 0,
  deadlinesMet: 0,
  removed: 0,
  restricted: 0,
  kept: 0,
  decidedBySite: 0,
  reversals: 0,
  appeals: 0,
  appealsGranted: 0,
  appealsRefused: 0,
  counterNotices: 0,
  counterNoticesRestored: 0,
  counterNoticesStopped: 0,
}
