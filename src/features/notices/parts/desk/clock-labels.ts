import type { ClockName } from '../../notice/notice-kinds.ts'

/** The event that a clock waits for, or the site's act at its end. */
export const clockLabels: Record<ClockName, string> = {
  person: 'First look by a person',
  decide: 'Decision',
  hide: 'Automatic hiding',
  triage: 'First look',
  forward: 'Answer to the counter-notice',
  restore: 'Automatic restoration',
  appeal: 'Answer to the appeal',
}
