import { useRef, useState } from 'react'
import { ButtonLink, TextLink } from '../../../../ui/button.tsx'
import { urgencyOf } from '../../../../browser/time-left.ts'
import { counted } from '../../../../platform/counted.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { DataTable } from '../../../../ui/data-table.tsx'
import { SelectionAct, SelectionTools, useSelection } from '../../../../ui/list-page/selection.tsx'
import { useRowKeys } from '../../../../ui/list-page/use-row-keys.ts'
import { UserText } from '../../../office/parts/user-text.tsx'
import { maxDecidedAtOnce, type NoticeInQueue } from '../../desk/desk-schema.ts'
import { nextStepInWords } from '../../desk/next-step.ts'
import { kindLabels, openStatuses, statusLabels } from '../../notice/notice-kinds.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { ClockLeft } from './clock-left.tsx'
import { DecideDialog } from './decide-dialog.tsx'
import { decideManyInWords, type DoneToMany, missingInWords, reportedInWords, withheldLabel } from './desk-words.ts'
import { missingOfAllInWords } from './next-step.ts'
import { casePath } from './notice-paths.ts'

const dialogs = { decide: DecideDialog, assign: AssignDialog }

export function NoticesToWorkOn({
  notices,
  onDone,
  ...table
}: {
  label: string
  notices: readonly NoticeInQueue[]
  isBusy: boolean
  now: number
  searchOf: (sender: string) => string
  onDone: (done: DoneToMany) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  const selection = useSelection()
  const [act, setAct] = useState<keyof typeof dialogs>()
  const ActDialog = act === undefined ? undefined : dialogs[act]
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
          onAct={() => setAct('decide')}
        />
        <SelectionAct
          count={picked.length}
          label={`Assign ${counted(picked.length, 'notice')}`}
          labelWithout="Assign selected"
          onAct={() => setAct('assign')}
        />
      </SelectionTools>
      <div ref={list} className="desk-list-of-notices">
        <NoticeTable
          {...table}
          notices={notices}
          picked={new Set(picked.map(({ reference }) => reference))}
          onPick={(reference, isPicked) => selection.choose([reference], isPicked)}
        />
        <p className="work-aside desk-keys">
          <kbd>j</kbd> and <kbd>k</kbd> go down and up, <kbd>x</kbd> selects, <kbd>Enter</kbd> opens.
        </p>
      </div>
      {ActDialog === undefined ? null : (
        <ActDialog
          notices={picked}
          onDone={(done) => {
            setAct(undefined)
            selection.clear()
            onDone(done)
          }}
          onClose={() => setAct(undefined)}
        />
      )}
    </>
  )
}

/** Notices, one a row; those whose time is over are tinted, and say so. */
export function NoticeTable({
  label,
  notices,
  isBusy,
  now,
  searchOf,
  picked,
  onPick,
}: {
  label: string
  notices: readonly NoticeInQueue[]
  isBusy: boolean
  now: number
  /** The search of this page for all notices of a sender. */
  searchOf: (sender: string) => string
  picked: ReadonlySet<string>
  onPick: (reference: string, isPicked: boolean) => void
}) {
  return (
    <DataTable label={label} heads={['Notice', 'Time left', 'State', 'Next step']} isBusy={isBusy}>
      {notices.map((notice) => {
        const { reference, clock } = notice
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
                <NoticeLines notice={notice} searchOf={searchOf} />
              </span>
            </td>
            <td>
              {clock === null ? <span className="work-aside">No deadline</span> : <ClockLeft clock={clock} now={now} />}
            </td>
            <td>
              <NoticeState notice={notice} />
            </td>
            <td>
              <NextStep notice={notice} />
            </td>
          </tr>
        )
      })}
    </DataTable>
  )
}

function NoticeLines({ notice, searchOf }: { notice: NoticeInQueue; searchOf: (sender: string) => string }) {
  const { reference, kind, sender, addresses, item, missing } = notice
  return (
    <span className="desk-lines">
      <span>
        <strong>{kindLabels[kind]}</strong> <span className="desk-reference">{reference}</span>
        {missing.length === 0 ? null : (
          <span title={missingInWords(kind, missing)}>{` · ${missingOfAllInWords(notice)}`}</span>
        )}
      </span>
      <span className="work-aside">
        <bdi>{reportedInWords(item?.name, addresses)}</bdi>
        {sender === null ? (
          ' · sender not given'
        ) : (
          <>
            {' · from '}
            <TextLink title="Show all from this sender" to={{ search: searchOf(sender) }}>
              <UserText>{sender}</UserText>
            </TextLink>
          </>
        )}
      </span>
    </span>
  )
}

function NextStep({ notice }: { notice: NoticeInQueue }) {
  return (
    <span className="data-actions" data-row-actions>
      <ButtonLink label={nextStepInWords(notice)} about={`: ${notice.reference}`} to={casePath(notice.reference)} />
    </span>
  )
}

function NoticeState({ notice }: { notice: NoticeInQueue }) {
  return (
    <span className="desk-state">
      <span>
        {statusLabels[notice.status]}
        {notice.assignee === null ? null : (
          <span className="work-aside">
            {notice.assignee.isSelf ? ' · yours' : ' · with '}
            {notice.assignee.isSelf ? null : <UserText>{notice.assignee.name}</UserText>}
          </span>
        )}
      </span>
      {notice.isNothingFound ? <Badge>Nothing hidden</Badge> : null}
      {notice.isWithheld ? <Badge>{withheldLabel}</Badge> : null}
      {notice.waitsForSecond ? <Badge>Second safety officer</Badge> : null}
      {notice.hasAppeal ? <Badge>Appeal</Badge> : null}
      {notice.counterNotices === 0 ? null : <Badge>{counted(notice.counterNotices, 'counter-notice')}</Badge>}
    </span>
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
