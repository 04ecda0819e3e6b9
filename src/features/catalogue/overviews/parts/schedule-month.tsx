import { type KeyboardEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { calendarDayInWords } from '../../../../browser/format-instant.ts'
import { addDays } from '../../../../platform/time/site-time.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { useMedia } from '../../../../ui/use-media.ts'
import { WorkEmpty } from '../../../../ui/work-page.tsx'
import { isMonth, monthAfter, weeksOf } from '../month.ts'
import type { Schedule } from '../overviews-schema.ts'
import './schedule-month.css'

type Day = Schedule['days'][number]

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const shownOfDay = 3

/** A month as a calendar; on a small screen its days below one another, those with entries. */
export function ScheduleMonth({ schedule, isBusy }: { schedule: Schedule; isBusy: boolean }) {
  const isWide = useMedia('(min-width: 48em)')
  if (schedule.days.length === 0) return <WorkEmpty>Nothing is posted in this month.</WorkEmpty>
  return isWide ? <Calendar schedule={schedule} isBusy={isBusy} /> : <DayList schedule={schedule} />
}

function DayList({ schedule: { days, today, month } }: { schedule: Schedule }) {
  return (
    <ol className="schedule-list">
      {days.map((day) => (
        <li key={day.day}>
          <h3>
            {calendarDayInWords(day.day)}
            {day.day === today ? <span className="work-aside"> today</span> : null}
          </h3>
          <Entries day={day} month={month} />
        </li>
      ))}
    </ol>
  )
}

/**
 * Arrow keys lead from day to day, Enter into a day, Escape back to it, Page Up and Page Down to the months beside, with
 * Shift to the years.
 */
function Calendar({ schedule: { month, days, today }, isBusy }: { schedule: Schedule; isBusy: boolean }) {
  const navigate = useNavigate()
  const [current, setCurrent] = useState(today.startsWith(month) ? today : `${month}-01`)
  const byDay = new Map(days.map((day) => [day.day, day]))

  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-day]') : null
    if (cell === null || event.ctrlKey || event.altKey || event.metaKey) return
    const months = { PageUp: -1, PageDown: 1 }[event.key]
    if (months !== undefined) {
      event.preventDefault()
      const to = monthAfter(month, event.shiftKey ? 12 * months : months)
      if (isMonth(to)) void navigate({ search: `month=${to}` }, { preventScrollReset: true })
    } else if (event.key === 'Escape') {
      cell.focus()
    } else if (event.target === cell) {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key]
      if (event.key === 'Enter') {
        event.preventDefault()
        cell.querySelector<HTMLElement>('a, button')?.focus()
      } else if (step !== undefined) {
        event.preventDefault()
        const next = addDays(cell.dataset.day ?? '', step)
        if (!next.startsWith(month)) return
        setCurrent(next)
        document.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus()
      }
    }
  }

  return (
    // Its cells have the focus in turn: the pattern of a grid.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
    <table className="schedule-month" role="grid" aria-label="Entries by day" aria-busy={isBusy} onKeyDown={onKey}>
      <thead>
        <tr>
          {weekdays.map((name) => (
            <th key={name} scope="col" abbr={name}>
              {name.slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week.find((day) => day !== null)}>
            {week.map((day, place) =>
              day === null ? (
                <td key={weekdays[place]} className="is-other">
                  <span className="sr-only">Another month</span>
                </td>
              ) : (
                <td
                  key={day}
                  data-day={day}
                  tabIndex={day === current ? 0 : -1}
                  aria-current={day === today ? 'date' : undefined}
                  onFocus={() => setCurrent(day)}
                >
                  <span aria-hidden="true" className="schedule-day">
                    {Number(day.slice(8))}
                  </span>
                  <span className="sr-only">{calendarDayInWords(day)}</span>
                  <Entries day={byDay.get(day)} month={month} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Entries({ day, month }: { day: Day | undefined; month: string }) {
  const [isOpen, setIsOpen] = useState(false)
  if (day === undefined) return null
  const shown = isOpen ? day.entries : day.entries.slice(0, shownOfDay)
  const rest = day.total - shown.length
  return (
    <>
      <ul className="schedule-entries">
        {shown.map(({ id, name, isAhead }) => (
          <li key={id}>
            <Link
              to={{ search: `month=${month}&edit=${id}` }}
              preventScrollReset
              data-edit={id}
              className={isAhead ? 'is-ahead' : undefined}
              title={name}
            >
              {isAhead ? (
                <>
                  <Icon name="clock" size={12} />
                  <span className="sr-only">Scheduled: </span>
                </>
              ) : null}
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {rest === 0 ? null : isOpen ? (
        <p className="work-aside">{`and ${rest.toLocaleString('en-US')} more`}</p>
      ) : (
        <button type="button" className="text-link schedule-more" onClick={() => setIsOpen(true)}>
          {`${rest.toLocaleString('en-US')} more`}
          <span className="sr-only">{` on ${calendarDayInWords(day.day)}`}</span>
        </button>
      )}
    </>
  )
}
