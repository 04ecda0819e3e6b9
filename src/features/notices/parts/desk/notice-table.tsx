import { useState } from 'react'
import { Link } from 'react-router'
import { counted } from '../../../../platform/counted.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { SelectionAct, SelectionTools, useSelection } from '../../../../ui/list-page/selection.tsx'
import { GivenText } from '../../../office/parts/given-text.tsx'
import { type DecidedNotices, maxDecidedAtOnce, type NoticeInQueue } from '../../desk/desk-schema.ts'
import { kindLabels, openStatuses, statusLabels } from '../../notice/notice-kinds.ts'
import { ClockLeft } from './clock-left.tsx'
import { DecideDialog } from './decide-dialog.tsx'
import { decideManyInWords, missingInWords, reportedInWords, withheldLabel } from './desk-words.ts'
import { casePath } from './notice-paths.ts'
import { urgencyOf } from './time-left.ts'

/** The list, and what is decided for several of it at once. */
export function NoticesToDecide({
  notices,
  onDecided,
  ...table
}: {
  label: string
  notices: readonly NoticeInQueue[]
  isBusy: boolean
  now: number
  onDecided: (decided: DecidedNotices) => void
}) {
  const selection = useSelection()
  const [isDeciding, setIsDeciding] = useState(false)
  const decidable = notices.filter(isDecidable)
  const first = decidable.slice(0, maxDecidedAtOnce)
  const picked = decidable.filter(({ reference }) => selection.has(reference)).slice(0, maxDecidedAtOnce)
  return (
    <>
      <SelectionTools ids={first.map(({ reference }) => reference)} selection={selection}>
        <SelectionAct
          count={picked.length}
          label={decideManyInWords('', picked.length)}
          labelWithout="Decide selected"
          onAct={() => setIsDeciding(true)}
        />
      </SelectionTools>
      <NoticeTable
        {...table}
        notices={notices}
        picked={new Set(picked.map(({ reference }) => reference))}
        onPick={(reference, isPicked) => selection.choose([reference], isPicked)}
      />
      {isDeciding ? (
        <DecideDialog
          notices={picked}
          onDone={(results) => {
            setIsDeciding(false)
            selection.clear()
            onDecided(results)
          }}
          onClose={() => setIsDeciding(false)}
        />
      ) : null}
    </>
  )
}

/** Notices, one a row; those whose time is over are tinted, and say so. */
export function NoticeTable({
  label,
  notices,
  isBusy,
  now,
  picked,
  onPick,
}: {
  label: string
  notices: readonly NoticeInQueue[]
  isBusy: boolean
  now: number
  /** The references of those that are selected. */
  picked: ReadonlySet<string>
  onPick: (reference: string, isPicked: boolean) => void
}) {
  return (
    <DataTable label={label} heads={['Notice', 'Time left', 'Reported', 'Sender', 'State']} isBusy={isBusy}>
      {notices.map((notice) => {
        const { reference, kind, status, sender, clock, addresses, item, missing } = notice
        const isOverdue = clock !== null && urgencyOf(clock, now) === 'overdue'
        return (
          <tr key={reference} className={isOverdue ? 'is-danger' : undefined}>
            <td>
              <span className="desk-pick">
                {isDecidable(notice) ? (
                  <input
                    type="checkbox"
                    aria-label={`Select ${reference}`}
                    checked={picked.has(reference)}
                    onChange={({ currentTarget }) => onPick(reference, currentTarget.checked)}
                  />
                ) : null}
                <Link className="work-link desk-case-link" to={casePath(reference)}>
                  {kindLabels[kind]} <span className="desk-reference">{reference}</span>
                </Link>
              </span>
            </td>
            <td>
              {clock === null ? <span className="work-aside">No deadline</span> : <ClockLeft clock={clock} now={now} />}
            </td>
            <td>
              <bdi className="desk-entry" title={item?.name}>
                {reportedInWords(item?.name, addresses)}
              </bdi>
            </td>
            <td>
              {sender === null ? (
                <span className="work-aside">Not given</span>
              ) : (
                <GivenText className="desk-entry">{sender}</GivenText>
              )}
            </td>
            <td>
              <span className="desk-state">
                <span>{statusLabels[status]}</span>
                {notice.isNothingFound ? <Badge>Nothing hidden</Badge> : null}
                {notice.isWithheld ? <Badge>{withheldLabel}</Badge> : null}
                {notice.waitsForSecond ? <Badge>Second safety officer</Badge> : null}
                {notice.hasAppeal ? <Badge>Appeal</Badge> : null}
                {notice.counterNotices === 0 ? null : <Badge>{counted(notice.counterNotices, 'counter-notice')}</Badge>}
              </span>
              {missing.length === 0 ? null : (
                <span className="work-aside desk-missing">{missingInWords(kind, missing)}</span>
              )}
            </td>
          </tr>
        )
      })}
    </DataTable>
  )
}

/**
 * Whether it can be decided, or decided anew, together with others. A notice about a child at risk is decided on its
 * own.
 */
function isDecidable({ kind, status, hasAppeal }: NoticeInQueue): boolean {
  return (
    kind !== 'child-safety' &&
    !hasAppeal &&
    (openStatuses.includes(status) || status === 'decided' || status === 'closed')
  )
}
