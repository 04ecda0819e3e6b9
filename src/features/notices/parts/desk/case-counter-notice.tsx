import type { ReactNode } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { dayInWords, timeInWords } from '../../../../browser/format-instant.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { isCounterNoticeOpen } from '../../notice/transition.ts'
import { type CounterNoticeOffers, counterNoticeOffersOf } from './case-offers.ts'
import type { CaseQuestion } from './case-question.tsx'
import { CaseSection } from './case-section.tsx'
import { Facts } from './facts.tsx'

type CounterNotice = NoticeForDesk['counterNotices'][number]

const stateWords: Record<CounterNotice['state'], string> = {
  received: 'Waiting for an answer',
  accepted: 'Accepted',
  refused: 'Refused',
  action: 'Court action reported',
  restored: 'Restored',
  overtaken: 'Replaced by a new decision',
}

/** The counter-notices that are open, or the others. */
export function CaseCounterNotices({
  notice,
  areOpen,
  onAnswer,
}: {
  notice: NoticeForDesk
  areOpen: boolean
  onAnswer: (question: CaseQuestion) => void
}) {
  return notice.counterNotices
    .filter(({ state }) => isCounterNoticeOpen(state) === areOpen)
    .map((counterNotice) => {
      const { id, state } = counterNotice
      return (
        <CaseSection key={id} title={state === 'received' ? 'A counter-notice is waiting' : 'Counter-notice'}>
          <CaseCounterNotice
            counterNotice={counterNotice}
            offers={counterNoticeOffersOf(notice, id)}
            onAnswer={(dialog) => onAnswer({ about: 'counter-notice', dialog, id })}
          />
        </CaseSection>
      )
    })
}

function CaseCounterNotice({
  counterNotice,
  offers,
  onAnswer,
}: {
  counterNotice: CounterNotice
  offers: CounterNoticeOffers
  onAnswer: (dialog: 'accept' | 'refuse' | 'action') => void
}) {
  const { name, address, phone, email, explanation, signature, receivedAt, acceptedAt, entries } = counterNotice
  const { refusal, actionNote } = counterNotice
  return (
    <>
      <p>
        <Badge>{stateWords[counterNotice.state]}</Badge> {restoreInWords(counterNotice)}
      </p>
      <p className="work-aside">
        {`Received ${timeInWords(receivedAt)}${acceptedAt === null ? '' : `, accepted and forwarded ${timeInWords(acceptedAt)}`}.`}
      </p>
      <Facts
        of={[
          ['Entries', entriesInWords(entries)],
          ['Name', <UserText key="name">{name}</UserText>],
          ['Postal address', <UserText key="address">{address}</UserText>],
          ['Telephone', <UserText key="phone">{phone}</UserText>],
          ['Email', <UserText key="email">{email}</UserText>],
          ['What they say', explanation],
          ['Signed', <UserText key="signature">{signature}</UserText>],
          ['Why it was refused', refusal],
          ['Court action', actionNote],
        ]}
      />
      {offers.accept || offers.refuse || offers.recordAction ? (
        <div className="desk-actions">
          {offers.accept ? (
            <Button look="solid" label="Accept and forward" aria-haspopup="dialog" onClick={() => onAnswer('accept')} />
          ) : null}
          {offers.refuse ? <Button label="Refuse" aria-haspopup="dialog" onClick={() => onAnswer('refuse')} /> : null}
          {offers.recordAction ? (
            <Button label="Note a court action" aria-haspopup="dialog" onClick={() => onAnswer('action')} />
          ) : null}
        </div>
      ) : null}
    </>
  )
}

function entriesInWords(entries: CounterNotice['entries']): ReactNode {
  if (entries.length === 0) return 'No entry that the decision kept off the site when it came.'
  return entries.map(({ id, name, path }) => (
    <div key={id}>
      <bdi>{name}</bdi> ({path})
    </div>
  ))
}

export function restoreInWords({
  state,
  restoredAt,
  actionNotifiedAt,
  overtakenAt,
  restoreFrom,
  restoreUntil,
}: Pick<
  CounterNotice,
  'state' | 'restoredAt' | 'actionNotifiedAt' | 'overtakenAt' | 'restoreFrom' | 'restoreUntil'
>): string {
  if (restoredAt !== null)
    return `Its entries were restored on ${timeInWords(restoredAt)}, if they passed the publication checks.`
  if (actionNotifiedAt !== null)
    return `A court action was reported on ${timeInWords(actionNotifiedAt)}, so nothing is restored automatically.`
  if (overtakenAt !== null) return `A new decision replaced the one it answers on ${timeInWords(overtakenAt)}.`
  if (restoreFrom === null || restoreUntil === null) return 'It has no effect.'
  const late =
    Date.parse(restoreFrom) > Date.parse(restoreUntil)
      ? ` That is later than the law allows: its fourteen business days ended before ${dayInWords(restoreUntil)}.`
      : ''
  return state === 'accepted'
    ? `Its entries are restored on ${dayInWords(restoreFrom)}, unless a court action is reported.${late}`
    : `Nothing is forwarded or restored before you accept it. If you accept it today, its entries are restored on ${dayInWords(restoreFrom)}.${late}`
}
