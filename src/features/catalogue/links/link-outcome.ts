import type { LinkState } from '../item/link-slots.ts'

/* The outcome of one check of a link, and the time of the next one (docs/spec/links.md#outcomes, #schedule). */

/** Why a check ended as it did. `http`: with the status of an answer. */
export const linkReasons = [
  'http',
  'timeout',
  'dns',
  'no_such_host',
  'refused',
  'unreachable',
  'reset',
  'tls',
  'protocol',
  'redirects',
  'redirect_invalid',
  'private_address',
  'port',
] as const
export type LinkReason = (typeof linkReasons)[number]

export interface Finding {
  reason: LinkReason
  /** Status of the last answer; null without one. */
  status: number | null
  /** Whether any server has answered: else the fault may lie with the network of this one. */
  isAnswered: boolean
  /** The pause that the host asks for. */
  retryAfterSeconds?: number
  /** The host of the last answer, where a redirect led to another one than the link's. */
  answeredBy?: string
  /** The address of the last answer; the link's own where nothing was redirected. */
  finalAddress?: string
}

/** `gone` is certain, `fails` may pass, `unclear` says nothing of the link, `later` is no answer yet. */
export type Verdict = 'works' | 'gone' | 'fails' | 'unclear' | 'later'

export function verdictOf({ reason, status }: Finding): Verdict {
  // It was not asked.
  if (reason === 'port') return 'unclear'
  if (reason === 'private_address' || reason === 'redirect_invalid') return 'gone'
  if (reason !== 'http' || status === null) return 'fails'
  if (status >= 200 && status < 300) return 'works'
  if (status === 404 || status === 410 || status === 451) return 'gone'
  if (status === 429) return 'later'
  // 401, 403 and their like: the host does not tell a program. A person may well be served.
  return status >= 500 ? 'fails' : 'unclear'
}

export interface CheckedState {
  state: LinkState
  /** In a row. */
  failures: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const okEveryMs = 7 * dayMs
const unclearEveryMs = 2 * dayMs
/** Until the second check, which makes it dead. A fault that may pass is given more time. */
const secondCheckMs = { gone: hourMs, fails: 6 * hourMs }
/** Up to this many failures in a row, a dead link is checked daily, then weekly. */
const dailyFailures = 8
const minLaterMs = hourMs
const maxLaterMs = dayMs

/** The pause that a host is given, in milliseconds: what it asks for, between a minute and a day. */
export function pauseMs(retryAfterSeconds: number | undefined): number {
  return Math.min(Math.max((retryAfterSeconds ?? 0) * 1_000, minuteMs), maxLaterMs)
}

/** The state of a link after a check, and when the next one is due, in milliseconds since 1970. */
export function stateAfter(
  before: CheckedState,
  finding: Finding,
  now: number,
): CheckedState & { nextCheckAt: number } {
  const verdict = verdictOf(finding)
  const after = (state: CheckedState, ms: number) => {
    const asked = finding.retryAfterSeconds === undefined ? 0 : pauseMs(finding.retryAfterSeconds)
    return { ...state, nextCheckAt: now + Math.max(ms, asked) }
  }
  if (verdict === 'works') return after({ state: 'ok', failures: 0 }, okEveryMs)
  if (verdict === 'unclear') return after({ state: 'unknown', failures: 0 }, unclearEveryMs)
  if (verdict === 'later') return after({ state: before.state, failures: before.failures }, minLaterMs)
  const failures = before.failures + 1
  if (failures === 1) return after({ state: 'suspect', failures }, secondCheckMs[verdict])
  return after({ state: 'dead', failures }, failures <= dailyFailures ? dayMs : 7 * dayMs)
}
