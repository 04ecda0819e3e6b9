import { deadlineInWords } from '../../../../browser/format-instant.ts'
import { timeLeftInWords, urgencyOf } from '../../../../browser/time-left.ts'
import { Icon } from '../../../../ui/icon.tsx'
import type { Clock } from '../../desk/desk-schema.ts'
import { clockLabels } from './clock-labels.ts'

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
