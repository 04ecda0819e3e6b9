import { deadlineInWords } from '../../../../browser/format-instant.ts'
import { timeLeftInWords, urgencyOf } from '../../../../browser/time-left.ts'
import { Icon } from '../../../../ui/icon.tsx'
import type { Clock } from '../../desk/desk-schema.ts'
import type { ClockName } from '../../notice/notice-kinds.ts'

/** The time that a clock leaves, and its purpose. Urgency shows in words and a mark, not in a color alone. */
export function ClockLeft({ clock, now }: { clock: Clock; now: number }) {
  const urgency = urgencyOf(clock, now)
  return (
    <span className={`desk-clock is-${urgency}`}>
      {urgency === 'calm' ? null : <Icon name={urgency === 'overdue' ? 'alarm' : 'clock'} size={16} />}
      <span>
        <time dateTime={clock.dueAt} title={`${deadlineInWords(clock.dueAt)} (${clock.dueAt})`}>
          {timeLeftInWords(clock, now)}
        </time>{' '}
        <span className="desk-clock-name">{clockLabels[clock.name]}</span>
      </span>
    </span>
  )
}

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
