import { describe, expect, test } from 'vitest'
import type { BusinessCalendar } from './business-days.ts'
import { changeClocks, restoreTimes, type RunningClock } from './clocks.ts'
import type { NoticeKind } from './notice-kinds.ts'
import { type NoticeState, transition } from './transition.ts'
import type { NoticeEventInput } from './notice-event.ts'

const calendar: BusinessCalendar = { timeZone: 'UTC', isHoliday: (day) => day === '2026-11-26' }
/** A Monday. */
const received = Date.parse('2026-11-23T12:00:00Z')

/** The clocks of a notice, from event to event: when each is due, and how those that have ended did. */
class Clocks {
  state: NoticeState | null = null
  /** By their names, with the id of a counter-notice where it is not `c`. */
  running = new Map<string, RunningClock>()
  ended: string[] = []

  tell(event: NoticeEventInput, at = '2026-11-23T12:00:00Z'): this {
    const wasWhole = this.state?.isWhole === true
    const next = transition(this.state, event)
    if (next.isRefused) throw new Error(next.sentence)
    this.state = next.state
    const { start, end } = changeClocks({
      after: next.state,
      wasWhole,
      event,
      now: Date.parse(at),
      receivedAt: received,
      running: [...this.running.values()],
      calendar,
    })
    for (const clock of end) {
      if (!this.running.delete(labelOf(clock))) throw new Error(`${labelOf(clock)} does not run.`)
      this.ended.push(`${labelOf(clock)} ${clock.outcome}`)
    }
    for (const clock of start) {
      if (this.running.has(labelOf(clock))) throw new Error(`${labelOf(clock)} runs twice.`)
      const { name, counterNoticeId, dueAt } = clock
      this.running.set(labelOf(clock), { name, counterNoticeId, dueAt })
    }
    return this
  }

  get due(): Record<string, string> {
    return Object.fromEntries([...this.running].map(([label, { dueAt }]) => [label, new Date(dueAt).toISOString()]))
  }
}

function labelOf({ name, counterNoticeId }: Pick<RunningClock, 'name' | 'counterNoticeId'>): string {
  return counterNoticeId === null || counterNoticeId === 'c' ? name : `${name} ${counterNoticeId}`
}

const begun = (kind: NoticeKind, missing: string[] = []): Clocks =>
  new Clocks().tell({ type: 'received', kind, missing })
const decide = { type: 'decided', decisionId: 'd', outcome: 'remove' } as const

describe('with its receipt begin the clocks of', () => {
  test.each<[NoticeKind, string[], Record<string, string>]>([
    ['child-safety', ['explanation'], { person: '2026-11-23T16:00:00.000Z' }],
    ['intimate-image', [], { decide: '2026-11-24T12:00:00.000Z' }],
    ['intimate-image', ['signature'], { decide: '2026-11-24T12:00:00.000Z', hide: '2026-11-25T08:00:00.000Z' }],
    ['consent', [], { hide: '2026-11-24T08:00:00.000Z', decide: '2026-12-02T00:00:00.000Z' }],
    [
      'copyright',
      [],
      { triage: '2026-11-25T00:00:00.000Z', hide: '2026-11-26T12:00:00.000Z', decide: '2026-11-26T12:00:00.000Z' },
    ],
    ['copyright', ['signature'], {}],
    ['privacy', [], { decide: '2026-11-30T12:00:00.000Z' }],
    ['other', [], { decide: '2026-12-02T00:00:00.000Z' }],
  ])('%s, missing %j', (kind, missing, due) => {
    expect(begun(kind, missing).due).toEqual(due)
  })
})

test('a copyright notice has them from its completion on, also while something is asked for', () => {
  const clocks = begun('copyright', ['signature']).tell({ type: 'completed' }, '2026-11-24T12:00:00Z')
  const [hide, decided] = ['2026-11-27T12:00:00.000Z', '2026-11-27T12:00:00.000Z']
  expect(clocks.due).toEqual({ triage: '2026-11-26T00:00:00.000Z', hide, decide: decided })
  clocks.tell({ type: 'asked', missing: ['phone'], message: 'Which?' })
  expect([clocks.due, clocks.ended]).toEqual([{ hide, decide: decided }, ['triage met']])
  clocks.tell({ type: 'completed' }, '2026-11-25T12:00:00Z')
  expect(clocks.due).toEqual({ hide, decide: decided })
  // Its end has come once.
  clocks
    .tell({ type: 'asked', missing: ['phone'], message: 'Which?' })
    .tell({ type: 'hidden', clock: 'hide', items: [] })
  expect(clocks.tell({ type: 'completed' }).due).toEqual({ decide: decided })
})

test('a copyright notice that never was whole has none, whatever is asked for', () => {
  expect(begun('copyright', ['signature']).tell({ type: 'asked', missing: ['phone'], message: 'Which?' }).due).toEqual(
    {},
  )
})

describe('the time by which an intimate image is hidden', () => {
  test('runs on while something is asked for, and ends when everything is hidden', () => {
    const clocks = begun('intimate-image', ['signature'])
    clocks.tell({ type: 'asked', missing: ['signature'], message: 'Which?' })
    expect(clocks.due).toEqual({ decide: '2026-11-24T12:00:00.000Z', hide: '2026-11-25T08:00:00.000Z' })
    clocks.tell({ type: 'completed' }, '2026-11-24T08:00:00Z')
    expect([clocks.due, clocks.ended]).toEqual([{ decide: '2026-11-24T12:00:00.000Z' }, ['hide done']])
  })

  test('runs for what too many at once have left on the site, until a person hides it', () => {
    const clocks = new Clocks().tell({ type: 'received', kind: 'intimate-image', missing: [], isWithheld: true })
    expect(clocks.due).toMatchObject({ hide: '2026-11-25T08:00:00.000Z' })
    clocks.tell({ type: 'hidden', items: ['a'] }, '2026-11-24T00:00:00Z')
    expect([Object.keys(clocks.due), clocks.ended]).toEqual([['decide'], ['hide done']])
  })

  test('begins for addresses that are added later and left on the site', () => {
    const clocks = begun('intimate-image')
    clocks.tell({ type: 'entries-changed', added: 'one', isWithheld: true }, '2026-11-24T00:00:00Z')
    expect(clocks.due).toMatchObject({ hide: '2026-11-25T20:00:00.000Z' })
    clocks.tell({ type: 'entries-changed', added: 'another', isWithheld: true }, '2026-11-24T01:00:00Z')
    expect(clocks.due).toMatchObject({ hide: '2026-11-25T20:00:00.000Z' })
  })

  test('comes again an hour later for what does not fit', () => {
    const clocks = new Clocks().tell({ type: 'received', kind: 'intimate-image', missing: [], isWithheld: true })
    clocks.tell({ type: 'hidden', clock: 'hide', items: ['a'], isWithheld: true }, '2026-11-25T08:00:30Z')
    expect([clocks.due, clocks.ended]).toEqual([
      { decide: '2026-11-24T12:00:00.000Z', hide: '2026-11-25T09:00:30.000Z' },
      ['hide done'],
    ])
    clocks.tell({ type: 'hidden', clock: 'hide', items: ['b'], isWithheld: false }, '2026-11-25T09:01:00Z')
    expect(Object.keys(clocks.due)).toEqual(['decide'])
  })
})

test('a review meets what a person has to look at, and a decision everything', () => {
  expect(begun('child-safety').tell({ type: 'reviewed' })).toMatchObject({ due: {}, ended: ['person met'] })
  const clocks = begun('copyright').tell({ type: 'reviewed' })
  expect(clocks.ended).toEqual(['triage met'])
  expect(clocks.tell(decide)).toMatchObject({ due: {}, ended: ['triage met', 'hide met', 'decide met'] })
})

test('what the site does at its end is done in time, and the decision is waited for still', () => {
  const clocks = begun('copyright').tell({ type: 'hidden', clock: 'hide', items: [] })
  expect([Object.keys(clocks.due), clocks.ended]).toEqual([['triage', 'decide'], ['hide done']])
})

test.each<NoticeEventInput>([{ type: 'withdrawn' }, { type: 'marked-duplicate', of: 'x' }])(
  'nothing is waited for after: $type',
  (event) => {
    expect(begun('other').tell(event)).toMatchObject({ due: {}, ended: ['decide cancelled'] })
  },
)

describe('another kind', () => {
  test('has its own clocks from the time of receipt', () => {
    const clocks = begun('other').tell(
      { type: 'reclassified', kind: 'intimate-image', missing: [] },
      '2026-11-24T10:00:00Z',
    )
    expect(clocks.due).toEqual({ decide: '2026-11-24T12:00:00.000Z' })
  })

  test('is not looked at a second time, but by the safety officer, who was not told before', () => {
    const clocks = begun('other').tell({ type: 'reviewed' })
    expect(clocks.tell({ type: 'reclassified', kind: 'copyright', missing: [] }).due).toEqual({
      hide: '2026-11-26T12:00:00.000Z',
      decide: '2026-11-26T12:00:00.000Z',
    })
    clocks.tell({ type: 'reclassified', kind: 'child-safety', missing: [] }, '2026-11-25T10:00:00Z')
    expect(clocks.due).toEqual({ person: '2026-11-25T14:00:00.000Z' })
  })
})

test('an appeal is answered within five business days', () => {
  const clocks = begun('copyright').tell(decide).tell({ type: 'appealed', appealId: 'a' })
  expect(clocks.due).toEqual({ appeal: '2026-12-02T00:00:00.000Z' })
  const answer = { type: 'appeal-answered', appealId: 'a', decisionId: null, outcome: 'remove' } as const
  expect(clocks.tell(answer)).toMatchObject({ due: {}, ended: expect.arrayContaining(['appeal met']) })
})

describe('a counter-notice', () => {
  const receivedAt = '2026-11-23T12:00:00Z'
  const filed = () => begun('copyright').tell(decide).tell({ type: 'counter-received', counterNoticeId: 'c' })
  const accept = (counterNoticeId: string) => ({ type: 'counter-accepted', counterNoticeId, receivedAt }) as const

  test('waits for a person within one business day, and is obeyed ten after its receipt, whenever it was accepted', () => {
    const clocks = filed()
    expect(clocks.due).toEqual({ forward: '2026-11-25T00:00:00.000Z' })
    expect(restoreTimes({ receivedAt: received, acceptedAt: received }, calendar)).toEqual({
      from: Date.parse('2026-12-09T00:00:00Z'),
      until: Date.parse('2026-12-15T00:00:00Z'),
    })
    clocks.tell({ type: 'overdue', clock: 'forward', counterNoticeId: 'c' }, '2026-11-25T00:00:00Z')
    expect(Object.keys(clocks.due)).toEqual(['forward'])
    clocks.tell(accept('c'), '2026-11-27T12:00:00Z')
    expect(clocks.due).toEqual({ restore: '2026-12-09T00:00:00.000Z' })
    clocks.tell({ type: 'restored', counterNoticeId: 'c', decisionId: 'd2', outcome: 'keep', overtakes: [] })
    expect([clocks.due, clocks.ended.slice(-2)]).toEqual([{}, ['forward met', 'restore done']])
  })

  test.each([
    // The tenth business day is December 8, the fourteenth December 14.
    ['2026-11-27T12:00:00Z', '2026-12-09T00:00:00Z'],
    ['2026-12-07T23:00:00Z', '2026-12-09T00:00:00Z'],
    ['2026-12-08T12:00:00Z', '2026-12-10T00:00:00Z'],
    ['2026-12-10T12:00:00Z', '2026-12-12T00:00:00Z'],
    ['2026-12-11T12:00:00Z', '2026-12-15T00:00:00Z'],
    // On the fourteenth day the law's end comes before a whole day with the copy.
    ['2026-12-14T12:00:00Z', '2026-12-15T00:00:00Z'],
    // After it, nothing is in time any more: the sender of the notice has the copy for a day.
    ['2026-12-15T00:00:00Z', '2026-12-17T00:00:00Z'],
    ['2026-12-18T12:00:00Z', '2026-12-22T00:00:00Z'],
  ])(
    'accepted at %s is obeyed at %s: a business day after it was forwarded, within the fourteen of the law',
    (at, due) => {
      const clocks = filed().tell(accept('c'), at)
      expect(clocks.due).toEqual({ restore: new Date(due).toISOString() })
    },
  )

  test('has clocks of its own', () => {
    const clocks = filed().tell({ type: 'counter-received', counterNoticeId: 'b' }).tell(accept('c'))
    expect(Object.keys(clocks.due)).toEqual(['forward b', 'restore'])
    clocks.tell(accept('b')).tell({ type: 'action-notified', counterNoticeId: 'c', note: 'A court.' })
    expect(Object.keys(clocks.due)).toEqual(['restore b'])
    const both = filed().tell({ type: 'counter-received', counterNoticeId: 'b' }).tell(accept('b'))
    both.tell({ type: 'action-notified', counterNoticeId: 'c', note: 'A court.', stops: ['b'] })
    expect([both.due, both.ended.slice(-2).toSorted()]).toEqual([{}, ['forward cancelled', 'restore b cancelled']])
    clocks.tell({ type: 'counter-received', counterNoticeId: 'a' })
    clocks.tell({ type: 'restored', counterNoticeId: 'b', decisionId: 'd2', outcome: 'keep', overtakes: ['a'] })
    expect([clocks.due, clocks.ended.slice(-2)]).toEqual([{}, ['restore b done', 'forward a cancelled']])
  })

  test.each<[NoticeEventInput, string]>([
    [{ type: 'counter-refused', counterNoticeId: 'c', reasons: 'It is not yours.' }, 'forward met'],
    [{ type: 'action-notified', counterNoticeId: 'c', note: 'A court.' }, 'forward cancelled'],
    [{ type: 'reversed', decisionId: 'd2', outcome: 'keep' }, 'forward cancelled'],
  ])('is over after: %j', (event, ended) => {
    const clocks = filed().tell(event)
    expect([clocks.due, clocks.ended.at(-1)]).toEqual([{}, ended])
  })

  test('that is accepted gives nothing back after another decision', () => {
    const clocks = filed().tell(accept('c')).tell({ type: 'reversed', decisionId: 'd2', outcome: 'keep' })
    expect([clocks.due, clocks.ended.at(-1)]).toEqual([{}, 'restore cancelled'])
  })
})
