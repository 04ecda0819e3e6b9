import { expect, test } from 'vitest'
import { aCounterNotice, aDecision, aNotice } from '../../../../../tests/harness/desk-samples.ts'
import type { NoticeForDesk } from '../../desk/desk-schema.ts'
import { counterNoticeOffersOf, offersOf } from './case-offers.ts'

const appeal: NonNullable<NoticeForDesk['appeal']> = {
  state: 'open',
  statement: 'It is not protected.',
  filedAt: '2024-03-16T09:00:00.000Z',
  answeredAt: null,
  isUpheld: null,
  answer: null,
  mayAnswer: true,
}
const decided = { status: 'decided', decisions: [aDecision()] } as const

const open = ['review', 'ask', 'kind', 'entries', 'duplicate', 'decide']
const rows: [what: string, notice: Partial<NoticeForDesk>, offered: string[]][] = [
  ['received', { status: 'received' }, open],
  ['incomplete', { status: 'needs-info' }, open],
  ['in review', { status: 'in-review' }, open.slice(1)],
  ['of the kind that others are changed to', { status: 'in-review', kind: 'other' }, open.slice(1)],
  ['decided', { ...decided, decisions: [...decided.decisions] }, ['reverse', 'close']],
  ['closed', { status: 'closed', decisions: [aDecision()] }, ['reverse']],
  ['withdrawn', { status: 'withdrawn' }, []],
  ['a duplicate', { status: 'duplicate' }, []],
  ['appealed', { status: 'decided', decisions: [aDecision()], appeal }, ['answerAppeal']],
  [
    'appealed against my own decision',
    { status: 'decided', decisions: [aDecision()], appeal: { ...appeal, mayAnswer: false } },
    [],
  ],
  [
    'appealed and answered',
    {
      status: 'decided',
      decisions: [aDecision()],
      appeal: { ...appeal, state: 'answered', answeredAt: '2024-03-17T09:00:00.000Z', isUpheld: true },
    },
    ['reverse', 'close'],
  ],
  ['countered', { status: 'decided', decisions: [aDecision()], counterNotices: [aCounterNotice()] }, ['reverse']],
  [
    'countered, and nothing waits',
    {
      status: 'decided',
      decisions: [aDecision()],
      counterNotices: (['refused', 'action', 'restored', 'overtaken'] as const).map((state) =>
        aCounterNotice({ id: state, state }),
      ),
    },
    ['reverse', 'close'],
  ],
]

test.each<[NoticeForDesk['counterNotices'][number]['state'], string[]]>([
  ['received', ['accept', 'refuse', 'recordAction']],
  ['accepted', ['recordAction']],
  ['refused', []],
  ['action', []],
  ['restored', []],
  ['overtaken', []],
])('a counter-notice that is %s offers %j', (state, offered) => {
  const counterNotice = aCounterNotice({ state })
  const notice = aNotice({ status: 'decided', decisions: [aDecision()], counterNotices: [counterNotice] })
  const offers = counterNoticeOffersOf(notice, counterNotice.id)
  expect(Object.entries(offers).flatMap(([name, isOffered]) => (isOffered ? [name] : []))).toEqual(offered)
})

test.each(rows)('a notice that is %s offers what its one function takes', (_what, notice, offered) => {
  const offers = offersOf(aNotice(notice))
  expect(Object.entries(offers).flatMap(([name, isOffered]) => (isOffered ? [name] : []))).toEqual(offered)
})
